//! What the tests of the formats share.

use super::super::{Network, Variable};
use crate::{Error, ErrorKind, Result};

/// The network of Lauritzen and Spiegelhalter, 1988: a doctor asks about lungs.
pub(super) const ASIA: &str = "\
network unknown {
}
variable asia {
  type discrete [ 2 ] { yes, no };
}
variable tub {
  type discrete [ 2 ] { yes, no };
}
variable smoke {
  type discrete [ 2 ] { yes, no };
}
variable lung {
  type discrete [ 2 ] { yes, no };
}
variable bronc {
  type discrete [ 2 ] { yes, no };
}
variable either {
  type discrete [ 2 ] { yes, no };
}
variable xray {
  type discrete [ 2 ] { yes, no };
}
variable dysp {
  type discrete [ 2 ] { yes, no };
}
probability ( asia ) {
  table 0.01, 0.99;
}
probability ( tub | asia ) {
  (yes) 0.05, 0.95;
  (no) 0.01, 0.99;
}
probability ( smoke ) {
  table 0.5, 0.5;
}
probability ( lung | smoke ) {
  (yes) 0.1, 0.9;
  (no) 0.01, 0.99;
}
probability ( bronc | smoke ) {
  (yes) 0.6, 0.4;
  (no) 0.3, 0.7;
}
probability ( either | lung, tub ) {
  (yes, yes) 1.0, 0.0;
  (no, yes) 1.0, 0.0;
  (yes, no) 1.0, 0.0;
  (no, no) 0.0, 1.0;
}
probability ( xray | either ) {
  (yes) 0.98, 0.02;
  (no) 0.05, 0.95;
}
probability ( dysp | bronc, either ) {
  (yes, yes) 0.9, 0.1;
  (no, yes) 0.7, 0.3;
  (yes, no) 0.8, 0.2;
  (no, no) 0.1, 0.9;
}
";

/// The names of a network's nodes.
pub(super) fn names(network: &Network) -> Vec<&str> {
    let variables = network.variables().iter();
    variables.map(|variable| variable.name.as_str()).collect()
}

/// The variable of a node by its name.
pub(super) fn variable<'a>(network: &'a Network, name: &str) -> &'a Variable {
    &network.variables()[network.node(name).unwrap()]
}

/// All cells of a node's table.
pub(super) fn cells<'a>(network: &'a Network, name: &str) -> &'a [f64] {
    let node = network.node(name).unwrap();
    network.table(node).as_dense().unwrap()
}

/// The error that a text must give: one of data.
pub(super) fn data_error(read: Result<Network>) -> Error {
    let error = read.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Data, "{error}");
    error
}

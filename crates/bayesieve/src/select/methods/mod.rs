//! The methods, one file or folder each. A method describes itself in one `static`;
//! `registry.rs` lists them.

pub(super) mod all;
pub(super) mod boundaries;
pub(super) mod cfs;
pub(super) mod cmim;
pub(super) mod fcbf;
pub(super) mod fss_ebna;
pub(super) mod hiton_mb;
pub(super) mod iamb;
pub(super) mod info_as;
pub(super) mod jmi;
pub(super) mod k2_as;
pub(super) mod koller_sahami;
pub(super) mod mdl;
pub(super) mod mrmr;
pub(super) mod naive_as;
pub(super) mod relief_f;
pub(super) mod rpdmb;
pub(super) mod separation;
pub(super) mod wrapper;

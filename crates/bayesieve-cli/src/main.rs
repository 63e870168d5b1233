//! The command `bayesieve`.
fn main() {}

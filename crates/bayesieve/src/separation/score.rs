//! What is known of a block when its distance has been estimated.

/// An estimated separation score with what it takes to read it.
///
/// The score is `nh J`, where `J` is the distance of two classes in the block and
/// `nh = n1 n2 / (n1 + n2)` their rows. Its distribution is a non-central chi-square: degrees of
/// freedom `parameters`, non-centrality the true score.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SampleScore {
    /// The estimated score.
    pub score: f64,
    /// What it is too large by on average: the parameters estimated per class. The score of
    /// a block that tells nothing.
    pub parameters: f64,
}

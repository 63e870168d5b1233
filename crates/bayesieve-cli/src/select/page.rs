//! The page of `select`.

use bayesieve::Result;
use bayesieve::classify::Classifier;
use bayesieve::select::Selection;
use bayesieve_report::{SelectionReport, selection as page_of};

use super::{Arguments, Found};
use crate::progress::Progress;
use crate::report::Origin;

/// The model on what is kept, for its drawing; none where nobody asked for a page, or where
/// nothing can be trained.
pub(super) fn model(
    arguments: &Arguments,
    (selection, progress): (&Selection, &Progress),
    train: impl FnOnce() -> Result<Classifier>,
) -> Option<Classifier> {
    let is_needed = arguments.report.is_asked_for()
        && selection.boundary.is_none()
        && !selection.kept.is_empty();
    if !is_needed {
        return None;
    }
    progress.stage("training for the page");
    // A page without a drawing is better than none: what went wrong here is no fault of the
    // selection.
    train().ok()
}

/// Writes the page, where one is asked for.
pub(super) fn write(arguments: &Arguments, found: &Found) -> Result<()> {
    let origin = Origin::new(arguments.data.file(), found.seconds);
    arguments.report.write(|| {
        page_of(&SelectionReport {
            about: origin.about(),
            selection: &found.selection,
            class_counts: &found.class_counts,
            model: found.model.as_ref(),
        })
    })
}

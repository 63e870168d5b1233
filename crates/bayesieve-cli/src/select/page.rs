//! The page of `select`.

use bayesieve::Result;
use bayesieve::classify::{Classifier, TrainOptions};
use bayesieve::document::Seconds;
use bayesieve::select::Selection;
use bayesieve_report::{SelectionReport, selection as page_of};

use super::{Arguments, Data};
use crate::progress::Progress;
use crate::report::Origin;

/// The model on what is kept, for its drawing; none where nobody asked for a page, or where
/// nothing can be trained.
pub(super) fn model(
    arguments: &Arguments,
    data: &Data,
    training: &TrainOptions,
    (selection, progress): (&Selection, &Progress),
) -> Option<Classifier> {
    let is_needed = arguments.report.is_asked_for()
        && selection.boundary.is_none()
        && !selection.kept.is_empty();
    if !is_needed {
        return None;
    }
    progress.stage("training for the page");
    let rows = (&data.table, &data.roles);
    let model = selection.train_on_kept(rows, arguments.data.coding(), training, progress);
    // A page without a drawing is better than none: what went wrong here is no fault of the
    // selection.
    model.ok()
}

/// Writes the page, where one is asked for.
pub(super) fn write(
    arguments: &Arguments,
    data: &Data,
    (selection, model): (&Selection, Option<&Classifier>),
    seconds: Seconds,
) -> Result<()> {
    let origin = Origin::new(arguments.data.file(), seconds);
    arguments.report.write(|| {
        page_of(&SelectionReport {
            about: origin.about(),
            selection,
            class_counts: &data.coded.class.counts(),
            model,
        })
    })
}

//! Every run as a row of a table.

use bayesieve::Result;
use bayesieve::data::{Column, KindOrigin, Nominal, Table, Values};
use bayesieve::evaluate::{Comparison, Entry, Quantity, Run};
use serde_json::json;

/// One row a run: of whole training parts, then of the points of learning curves.
pub(super) fn table(comparison: &Comparison) -> Result<Table> {
    let entries = comparison.entries.iter();
    let rows = entries.flat_map(|entry| entry.runs.iter().map(move |run| (entry, run)));
    let rows: Vec<(&Entry, &Run)> = rows.collect();
    let labels = |name: &str, label: &dyn Fn(&Entry, &Run) -> String| {
        let labels: Vec<String> = rows.iter().map(|(entry, run)| label(entry, run)).collect();
        let labels = labels.iter().map(|label| Some(label.as_str()));
        let values = Values::Nominal(Nominal::from_labels(labels));
        Column::new(name, values, KindOrigin::Text)
    };
    let numbers = |name: &str, number: &dyn Fn(&Run) -> Option<f64>| {
        let numbers = rows.iter().map(|(_, run)| number(run).unwrap_or(f64::NAN));
        Column::new(
            name,
            Values::Numeric(numbers.collect()),
            KindOrigin::Numbers,
        )
    };
    let pipeline = |entry: &Entry| &comparison.pipelines[entry.pipeline];
    let mut columns = vec![
        labels("data", &|entry, _| comparison.data[entry.data].name.clone()),
        labels("pipeline", &|entry, _| pipeline(entry).name.clone()),
        labels("method", &|entry, _| pipeline(entry).method.to_owned()),
        labels("model", &|entry, _| pipeline(entry).model.to_owned()),
        numbers("run", &|run| Some(f64::from(run.run))),
        numbers("fold", &|run| Some(f64::from(run.fold))),
        numbers("training_rows", &|run| Some(run.n_train as f64)),
        numbers("test_rows", &|run| Some(run.n_test as f64)),
    ];
    columns.extend(
        Quantity::all()
            .into_iter()
            .map(|quantity| numbers(quantity.name(), &|run| quantity.of(run))),
    );
    columns.push(numbers("inner_accuracy", &|run| run.inner_accuracy));
    // A list in one cell: JSON, whatever the names hold.
    columns.push(labels("kept_features", &|entry, run| {
        json!(comparison.data[entry.data].kept_names(run)).to_string()
    }));
    Table::new(columns)
}

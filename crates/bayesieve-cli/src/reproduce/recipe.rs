//! From a paper's file to the table that its study is about.
//!
//! A recipe is a list of steps, so that it can be told in words beside the results.

use std::fmt;
use std::path::PathBuf;

use bayesieve::data::{
    CodedTable, CodingOptions, Column, Discretizer, Generator, KindOrigin, MissingPolicy,
    ReadOptions, RoleOptions, Roles, Table, Values, parse_number, read_table,
};
use bayesieve::wording::counted;
use bayesieve::{Error, Observer, Result};

use super::options::DataFolder;
use crate::text;

/// The folder inside that of the data where tables may be.
const FOLDER: &str = "uci";

/// How a table's file may end.
const ENDINGS: [&str; 5] = ["csv", "csv.gz", "arff", "parquet", "arrow"];

/// A data set of a paper.
#[derive(Debug, Clone, Copy)]
pub(super) struct PaperData {
    /// What the paper calls it.
    pub(super) name: &'static str,
    pub(super) source: Source,
    /// What is done with its table before it is split.
    pub(super) steps: &'static [Step],
}

/// Where a table comes from.
#[derive(Debug, Clone, Copy)]
pub(super) enum Source {
    /// A file of this name, whatever it ends with.
    File(&'static str),
    /// So many rows, drawn by the run's seed.
    Generated(Generator, usize),
    /// From nowhere.
    NotPublic,
}

/// One step of a recipe.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Step {
    /// Features that hold nothing but numbers are numeric, also where a few whole ones would
    /// be taken for labels; not these.
    Numbers { but: &'static [&'static str] },
    /// Rows with an empty cell are out.
    Complete,
    /// Rows are out where a feature has another label than these.
    Only(&'static [&'static str]),
    /// Rows of these classes are out.
    WithoutClasses(&'static [&'static str]),
    /// This column is out.
    WithoutColumn(&'static str),
    /// Numbers become bins by the cuts of Fayyad and Irani, learned from all rows.
    Bins,
}

/// A table that is ready to be split.
#[derive(Debug, Clone)]
pub(super) struct Prepared {
    pub(super) table: Table,
    pub(super) roles: Roles,
}

/// What became of a data set.
pub(super) enum Preparation {
    Ready(Box<Prepared>),
    /// Why it is left out.
    Skipped(String),
}

impl PaperData {
    /// Its file, where it has one and that is there.
    pub(super) fn file(&self, folder: &DataFolder) -> Option<PathBuf> {
        match self.source {
            Source::File(stem) => folder.table(FOLDER, stem, &ENDINGS),
            _ => None,
        }
    }

    /// What is done with its table, in words.
    pub(super) fn recipe(&self) -> Vec<String> {
        self.steps.iter().map(Step::to_string).collect()
    }

    /// Reads or draws the table and takes it through the steps.
    ///
    /// # Errors
    /// A file that cannot be read, or a step that its table does not go through.
    pub(super) fn prepare(
        &self,
        folder: &DataFolder,
        seed: u64,
        observer: &dyn Observer,
    ) -> Result<Preparation> {
        let table = match self.source {
            Source::NotPublic => {
                return Ok(Preparation::Skipped(format!(
                    "{} is not public: left out",
                    self.name
                )));
            }
            Source::Generated(generator, n_rows) => generator.generate(n_rows, seed)?,
            Source::File(stem) => match self.file(folder) {
                Some(file) => read_table(&file, &ReadOptions::default(), observer)?,
                None => {
                    let folder = text::file(folder.path());
                    return Ok(Preparation::Skipped(format!(
                        "there is no {stem}.csv in {folder} or its folder {FOLDER}: {} is left out",
                        self.name
                    )));
                }
            },
        };
        let prepared = self
            .taken_through_steps(table)
            .map_err(|error| match self.source {
                Source::File(stem) => error.in_file(stem),
                _ => error,
            })?;
        Ok(Preparation::Ready(Box::new(prepared)))
    }

    fn taken_through_steps(&self, table: Table) -> Result<Prepared> {
        let mut steps = self.steps.iter();
        let table = steps.try_fold(table, |table, step| step.apply(&table))?;
        let mut roles = Roles::resolve(&table, &RoleOptions::default())?;
        if matches!(self.source, Source::Generated(..)) {
            // No user chose the names of these columns.
            roles.notes.clear();
        }
        Ok(Prepared { table, roles })
    }
}

impl Prepared {
    /// What is not as the paper has it: rows and features.
    pub(super) fn strangeness(&self, name: &str, published: [Option<f64>; 2]) -> Option<String> {
        let ours = [self.table.n_rows(), self.roles.features.len()];
        let is_same = |(ours, published): (usize, Option<f64>)| {
            published.is_none_or(|published| published == ours as f64)
        };
        let size = |[rows, features]: [u64; 2]| {
            format!(
                "{} of {}",
                counted(rows, "row"),
                counted(features, "feature")
            )
        };
        (!ours.into_iter().zip(published).all(is_same)).then(|| {
            let theirs = published.map(|n| n.unwrap_or_default() as u64);
            let ours = size(ours.map(|n| n as u64));
            format!("{name} is {ours} here, {} in the paper", size(theirs))
        })
    }
}

impl Step {
    fn apply(&self, table: &Table) -> Result<Table> {
        let roles = Roles::resolve(table, &RoleOptions::default())?;
        match self {
            Step::Numbers { but } => numbers(table, &roles, but),
            Step::Complete => {
                let columns = table.columns();
                keep(table, |row| columns.iter().all(|c| !is_missing(c, row)))
            }
            Step::Only(labels) => {
                let columns = roles.features.iter().map(|&place| &table.columns()[place]);
                let columns: Vec<&Column> = columns.map(|column| &**column).collect();
                keep(table, |row| {
                    let mut cells = columns.iter().map(|column| label(column, row));
                    cells.all(|label| label.is_none_or(|label| labels.contains(&label)))
                })
            }
            Step::WithoutClasses(classes) => {
                let class = &table.columns()[roles.class];
                keep(table, |row| {
                    label(class, row).is_none_or(|label| !classes.contains(&label))
                })
            }
            Step::WithoutColumn(name) => {
                if table.position(name).is_none() {
                    return Err(Error::data(format!("there is no column {name}"))
                        .with_hint("The paper is about a table that has it."));
                }
                let columns = table.columns().iter();
                let columns = columns.filter(|column| column.name() != *name);
                Table::new(columns.map(|column| (**column).clone()).collect())
            }
            Step::Bins => bins(table, &roles),
        }
    }
}

impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Step::Numbers { but: [] } => f.write_str("columns of numbers are numeric"),
            Step::Numbers { but } => {
                write!(f, "columns of numbers are numeric but {}", but.join(", "))
            }
            Step::Complete => f.write_str("rows with an empty cell are out"),
            Step::Only(labels) => write!(
                f,
                "rows with other labels than {} are out",
                labels.join(", ")
            ),
            Step::WithoutClasses(classes) => write!(f, "classes {} are out", classes.join(", ")),
            Step::WithoutColumn(name) => write!(f, "column {name} is out"),
            Step::Bins => f.write_str("numbers in bins by Fayyad and Irani on all rows"),
        }
    }
}

fn is_missing(column: &Column, row: usize) -> bool {
    match column.values() {
        Values::Nominal(nominal) => nominal.codes.get(row).is_none(),
        Values::Numeric(numbers) => numbers[row].is_nan(),
    }
}

/// The label of a cell; nothing where it is empty or a number.
fn label(column: &Column, row: usize) -> Option<&str> {
    let nominal = column.as_nominal()?;
    nominal.domain.label(nominal.codes.get(row)?)
}

/// The rows that a rule is for, with the labels that they have.
fn keep(table: &Table, rule: impl Fn(usize) -> bool) -> Result<Table> {
    let rows = (0..table.n_rows()).filter(|&row| rule(row));
    let rows: Vec<u32> = rows.map(|row| row as u32).collect();
    if rows.is_empty() {
        return Err(Error::data("no row is left"));
    }
    let columns = table.take_rows(&rows);
    let columns = columns.columns().iter();
    Table::new(
        columns
            .map(|c| (**c).clone().with_labels_present())
            .collect(),
    )
}

fn numbers(table: &Table, roles: &Roles, but: &[&str]) -> Result<Table> {
    let columns = table.columns().iter().enumerate();
    let columns = columns.map(|(place, column)| {
        let is_number = place != roles.class
            && column.origin() == KindOrigin::FewIntegers
            && !but.contains(&column.name());
        match column.as_nominal().filter(|_| is_number) {
            None => (**column).clone(),
            Some(nominal) => {
                let labels = nominal.domain.labels().iter();
                let values: Vec<f64> = labels
                    .map(|label| parse_number(label).unwrap_or(f64::NAN))
                    .collect();
                let cells = nominal.codes.iter();
                let cells = cells.map(|code| code.map_or(f64::NAN, |code| values[code as usize]));
                let cells = Values::Numeric(cells.collect());
                Column::new(column.name(), cells, KindOrigin::Declared)
            }
        }
    });
    Table::new(columns.collect())
}

fn bins(table: &Table, roles: &Roles) -> Result<Table> {
    let options = CodingOptions {
        missing: MissingPolicy::Value,
        discretizer: Discretizer::Mdlp,
    };
    let coded = CodedTable::new(table, roles, options)?;
    let mut columns: Vec<Column> = table.columns().iter().map(|c| (**c).clone()).collect();
    for (&place, feature) in roles.features.iter().zip(&coded.features) {
        let (true, Some(bins)) = (feature.cuts.is_some(), feature.coded()) else {
            continue;
        };
        let name = columns[place].name().to_owned();
        columns[place] = Column::new(name, Values::Nominal(bins.clone()), KindOrigin::Derived);
    }
    Table::new(columns)
}

#[cfg(test)]
mod tests {
    use bayesieve::data::Nominal;

    use super::*;

    fn labels(name: &str, cells: &[&str]) -> Column {
        let cells = cells.iter().map(|&cell| (!cell.is_empty()).then_some(cell));
        Column::new(
            name,
            Values::Nominal(Nominal::from_labels(cells)),
            KindOrigin::Text,
        )
    }

    fn few(name: &str, cells: &[&str]) -> Column {
        Column::new(
            name,
            labels(name, cells).values().clone(),
            KindOrigin::FewIntegers,
        )
    }

    fn shown(table: &Table, name: &str) -> Vec<String> {
        let column = table.column(name).unwrap();
        let cells = 0..table.n_rows();
        let cells = cells.map(|row| match column.values() {
            Values::Numeric(numbers) => numbers[row].to_string(),
            Values::Nominal(_) => label(column, row).unwrap_or("").to_owned(),
        });
        cells.collect()
    }

    fn table() -> Table {
        Table::new(vec![
            few("n", &["1", "2", "", "3"]),
            labels("g", &["A", "C", "A", "N"]),
            labels("class", &["x", "x", "y", "z"]),
        ])
        .unwrap()
    }

    #[test]
    fn whole_numbers_become_numbers_but_those_named() {
        let table = table();
        let done = Step::Numbers { but: &[] }.apply(&table).unwrap();
        assert_eq!(shown(&done, "n"), ["1", "2", "NaN", "3"]);
        assert_eq!(shown(&done, "g"), ["A", "C", "A", "N"]);
        let same = Step::Numbers { but: &["n"] }.apply(&table).unwrap();
        assert!(same.column("n").unwrap().as_nominal().is_some());
    }

    #[test]
    fn steps_that_drop_rows_drop_the_labels_that_only_those_had() {
        let table = table();
        let done = Step::Complete.apply(&table).unwrap();
        assert_eq!(shown(&done, "class"), ["x", "x", "z"]);
        let done = Step::Only(&["A", "C", "1", "2"]).apply(&table).unwrap();
        assert_eq!(shown(&done, "g"), ["A", "C", "A"]);
        let classes = done.column("class").unwrap().as_nominal().unwrap();
        assert_eq!(classes.domain.labels(), ["x", "y"]);
        let done = Step::WithoutClasses(&["x"]).apply(&table).unwrap();
        assert_eq!(shown(&done, "class"), ["y", "z"]);
        assert!(Step::Only(&["T"]).apply(&table).is_err());
    }

    #[test]
    fn a_column_goes_if_it_is_there() {
        let done = Step::WithoutColumn("g").apply(&table()).unwrap();
        assert_eq!(done.names().collect::<Vec<_>>(), ["n", "class"]);
        let error = Step::WithoutColumn("h").apply(&table()).err().unwrap();
        assert_eq!(
            error.to_string(),
            "there is no column h. The paper is about a table that has it."
        );
    }

    #[test]
    fn bins_are_those_of_all_rows() {
        // Ten and ten rows: one cut between, at 10.5.
        let numbers = Values::Numeric((1..=20).map(f64::from).collect());
        let classes: Vec<&str> = (1..=20).map(|n| if n > 10 { "b" } else { "a" }).collect();
        let table = Table::new(vec![
            Column::new("n", numbers, KindOrigin::Numbers),
            labels("class", &classes),
        ])
        .unwrap();
        let done = Step::Bins.apply(&table).unwrap();
        let bins = done.column("n").unwrap().as_nominal().unwrap();
        assert_eq!(bins.counts(), [10, 10]);
    }

    #[test]
    fn a_table_of_another_size_is_told() {
        let data = PaperData {
            name: "t",
            source: Source::NotPublic,
            steps: &[Step::Complete],
        };
        let prepared = data.taken_through_steps(table()).unwrap();
        assert_eq!(prepared.strangeness("t", [Some(3.0), Some(2.0)]), None);
        assert_eq!(
            prepared.strangeness("t", [Some(4.0), Some(2.0)]).unwrap(),
            "t is 3 rows of 2 features here, 4 rows of 2 features in the paper"
        );
    }
}

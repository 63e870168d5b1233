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
use bayesieve::{Error, Observer, Result, printable};
use serde::Deserialize;

use crate::request::PaperRequest;

/// The folder inside that of the data where tables may be.
const FOLDER: &str = "uci";

/// How a table's file may end.
const ENDINGS: [&str; 5] = ["csv", "csv.gz", "arff", "parquet", "arrow"];

/// A data set of a paper: from a file, from a generator, or from nowhere if it is not public.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct PaperData {
    /// What the paper calls it.
    pub(crate) name: String,
    /// The name of its file, whatever it ends with.
    pub(crate) file: Option<String>,
    generator: Option<String>,
    /// Rows that are generated.
    #[serde(default)]
    rows: usize,
    /// What is done with its table before it is split.
    #[serde(default)]
    steps: Vec<RecipeStep>,
}

/// One step of a recipe.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum RecipeStep {
    /// Features that hold nothing but numbers are numeric, also where a few whole ones would
    /// be taken for labels; not these.
    Numbers(Vec<String>),
    /// Rows with an empty cell are out.
    Complete,
    /// Rows are out where a feature has another label than these.
    Only(Vec<String>),
    /// Rows of these classes are out.
    WithoutClasses(Vec<String>),
    /// This column is out.
    WithoutColumn(String),
    /// Numbers become bins by the cuts of Fayyad and Irani, learned from all rows.
    Bins,
}

/// A table that is ready to be split.
#[derive(Debug, Clone)]
pub(crate) struct PreparedData {
    pub(crate) name: &'static str,
    pub(crate) table: Table,
    pub(crate) roles: Roles,
}

impl PaperData {
    /// Finds its file, where it has one.
    pub(crate) fn find(&self, request: &PaperRequest) -> Option<PathBuf> {
        let stem = self.file.as_ref()?;
        request.file(FOLDER, &ENDINGS.map(|ending| format!("{stem}.{ending}")))
    }

    /// Says what is done with its table.
    pub(crate) fn recipe(&self, request: &PaperRequest) -> Vec<String> {
        self.steps(request).map(RecipeStep::to_string).collect()
    }

    /// Returns the steps; bins are learned from training rows instead where that is asked for.
    fn steps(&self, request: &PaperRequest) -> impl Iterator<Item = &RecipeStep> {
        let is_in_training = request.flags.contains("discretize-training");
        let steps = self.steps.iter();
        steps.filter(move |step| !is_in_training || **step != RecipeStep::Bins)
    }

    /// Reads or draws the table and takes it through the steps; says why where that is left out.
    ///
    /// # Errors
    /// A file that cannot be read, or a step that its table does not go through.
    pub(crate) fn prepare(
        &'static self,
        request: &PaperRequest,
        observer: &dyn Observer,
    ) -> Result<std::result::Result<PreparedData, String>> {
        let name = &self.name;
        let table = match (&self.file, &self.generator) {
            (Some(stem), _) => match self.find(request) {
                Some(file) => read_table(&file, &ReadOptions::default(), observer)?,
                None => {
                    let folder = printable(&request.data.display().to_string(), 400);
                    return Ok(Err(format!(
                        "there is no {stem}.csv in {folder} or its folder {FOLDER}: {name} is \
                         left out"
                    )));
                }
            },
            (None, Some(generator)) => {
                let generator: Generator = generator.parse()?;
                generator.generate(self.rows, request.seed)?
            }
            (None, None) => return Ok(Err(format!("{name} is not public: left out"))),
        };
        let prepared = self.taken_through_steps(table, request);
        let prepared = prepared.map_err(|error| match &self.file {
            Some(stem) => error.in_file(stem),
            None => error,
        });
        prepared.map(Ok)
    }

    fn taken_through_steps(
        &'static self,
        table: Table,
        request: &PaperRequest,
    ) -> Result<PreparedData> {
        let mut steps = self.steps(request);
        let table = steps.try_fold(table, |table, step| step.apply(&table))?;
        let mut roles = Roles::resolve(&table, &RoleOptions::default())?;
        if self.generator.is_some() {
            // No user chose the names of these columns.
            roles.notes.clear();
        }
        Ok(PreparedData {
            name: &self.name,
            table,
            roles,
        })
    }
}

impl PreparedData {
    /// Says what is not as the paper has it: rows and features.
    pub(crate) fn strangeness(&self, published: [Option<f64>; 2]) -> Option<String> {
        let ours = [self.table.n_rows(), self.roles.features.len()].map(|n| n as u64);
        let theirs = published.map(|n| n.map(|n| n as u64));
        let size = |[rows, features]: [u64; 2]| {
            format!(
                "{} of {}",
                counted(rows, "row"),
                counted(features, "feature")
            )
        };
        let is_same = |(ours, theirs): (u64, Option<u64>)| theirs.is_none_or(|n| n == ours);
        (!ours.into_iter().zip(theirs).all(is_same)).then(|| {
            let theirs = size(theirs.map(Option::unwrap_or_default));
            format!(
                "{} is {} here, {theirs} in the paper",
                self.name,
                size(ours)
            )
        })
    }
}

impl RecipeStep {
    fn apply(&self, table: &Table) -> Result<Table> {
        let roles = Roles::resolve(table, &RoleOptions::default())?;
        match self {
            RecipeStep::Numbers(but) => numbers(table, &roles, but),
            RecipeStep::Complete => {
                let columns = table.columns();
                keep(table, |row| columns.iter().all(|c| !is_missing(c, row)))
            }
            RecipeStep::Only(labels) => {
                let columns = roles.features.iter().map(|&place| &table.columns()[place]);
                let columns: Vec<&Column> = columns.map(|column| &**column).collect();
                keep(table, |row| {
                    let mut cells = columns.iter().map(|column| label(column, row));
                    cells.all(|label| label.is_none_or(|label| has(labels, label)))
                })
            }
            RecipeStep::WithoutClasses(classes) => {
                let class = &table.columns()[roles.class];
                keep(table, |row| {
                    label(class, row).is_none_or(|label| !has(classes, label))
                })
            }
            RecipeStep::WithoutColumn(name) => {
                if table.position(name).is_none() {
                    return Err(Error::data(format!("there is no column {name}"))
                        .with_hint("The paper is about a table that has it."));
                }
                let columns = table.columns().iter();
                let columns = columns.filter(|column| column.name() != name);
                Table::new(columns.map(|column| (**column).clone()).collect())
            }
            RecipeStep::Bins => bins(table, &roles),
        }
    }
}

impl fmt::Display for RecipeStep {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RecipeStep::Numbers(but) if but.is_empty() => {
                f.write_str("columns of numbers are numeric")
            }
            RecipeStep::Numbers(but) => {
                write!(f, "columns of numbers are numeric but {}", but.join(", "))
            }
            RecipeStep::Complete => f.write_str("rows with an empty cell are out"),
            RecipeStep::Only(labels) => write!(
                f,
                "rows with other labels than {} are out",
                labels.join(", ")
            ),
            RecipeStep::WithoutClasses(classes) => {
                write!(f, "classes {} are out", classes.join(", "))
            }
            RecipeStep::WithoutColumn(name) => write!(f, "column {name} is out"),
            RecipeStep::Bins => f.write_str("numbers in bins by Fayyad and Irani on all rows"),
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

fn has(words: &[String], word: &str) -> bool {
    words.iter().any(|known| known == word)
}

/// The rows that a rule is for, with the labels that they have.
fn keep(table: &Table, rule: impl Fn(usize) -> bool) -> Result<Table> {
    let rows = (0..table.n_rows()).filter(|&row| rule(row));
    let rows: Vec<u32> = rows.map(|row| row as u32).collect();
    if rows.is_empty() {
        return Err(Error::data("no row is left"));
    }
    Ok(table.take_rows(&rows).with_labels_present())
}

fn numbers(table: &Table, roles: &Roles, but: &[String]) -> Result<Table> {
    let columns = table.columns().iter().enumerate();
    let columns = columns.map(|(place, column)| {
        let is_number = place != roles.class
            && column.origin() == KindOrigin::FewIntegers
            && !has(but, column.name());
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

    fn words(words: &[&str]) -> Vec<String> {
        words.iter().map(|&word| word.to_owned()).collect()
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
        let done = RecipeStep::Numbers(Vec::new()).apply(&table).unwrap();
        assert_eq!(shown(&done, "n"), ["1", "2", "NaN", "3"]);
        assert_eq!(shown(&done, "g"), ["A", "C", "A", "N"]);
        let same = RecipeStep::Numbers(words(&["n"])).apply(&table).unwrap();
        assert!(same.column("n").unwrap().as_nominal().is_some());
    }

    #[test]
    fn steps_that_drop_rows_drop_the_labels_that_only_those_had() {
        let table = table();
        let done = RecipeStep::Complete.apply(&table).unwrap();
        assert_eq!(shown(&done, "class"), ["x", "x", "z"]);
        let done = RecipeStep::Only(words(&["A", "C", "1", "2"]))
            .apply(&table)
            .unwrap();
        assert_eq!(shown(&done, "g"), ["A", "C", "A"]);
        let classes = done.column("class").unwrap().as_nominal().unwrap();
        assert_eq!(classes.domain.labels(), ["x", "y"]);
        let done = RecipeStep::WithoutClasses(words(&["x"]))
            .apply(&table)
            .unwrap();
        assert_eq!(shown(&done, "class"), ["y", "z"]);
        assert!(RecipeStep::Only(words(&["T"])).apply(&table).is_err());
    }

    #[test]
    fn a_column_goes_if_it_is_there() {
        let done = RecipeStep::WithoutColumn("g".into())
            .apply(&table())
            .unwrap();
        assert_eq!(done.names().collect::<Vec<_>>(), ["n", "class"]);
        let error = RecipeStep::WithoutColumn("h".into())
            .apply(&table())
            .err()
            .unwrap();
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
        let done = RecipeStep::Bins.apply(&table).unwrap();
        let bins = done.column("n").unwrap().as_nominal().unwrap();
        assert_eq!(bins.counts(), [10, 10]);
    }

    #[test]
    fn a_table_of_another_size_is_told() {
        let prepared = PreparedData {
            name: "t",
            table: table(),
            roles: Roles::resolve(&table(), &RoleOptions::default()).unwrap(),
        };
        assert_eq!(prepared.strangeness([Some(4.0), Some(2.0)]), None);
        assert_eq!(
            prepared.strangeness([Some(3.0), Some(2.0)]).unwrap(),
            "t is 4 rows of 2 features here, 3 rows of 2 features in the paper"
        );
    }

    #[test]
    fn cuts_move_into_training_where_there_are_numbers() {
        let paper = crate::papers()[1].published();
        let recipe = |name: &str, request: &PaperRequest| {
            let data = paper.data.iter().find(|data| data.name == name);
            data.unwrap().recipe(request)
        };
        let own = PaperRequest::default();
        let moved = PaperRequest {
            flags: ["discretize-training"].into(),
            ..PaperRequest::default()
        };
        assert_eq!(recipe("adult", &own).len(), 3);
        assert_eq!(recipe("adult", &moved), recipe("adult", &own)[..2]);
        for name in ["chess", "splice"] {
            assert_eq!(recipe(name, &moved), recipe(name, &own));
        }
    }
}

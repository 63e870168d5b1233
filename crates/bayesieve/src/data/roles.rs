//! Which column is the class, which are features, and which are left out.

use std::collections::HashMap;

use super::column::distinct_numbers;
use super::names::unknown_name;
use super::{Codes, Column, Domain, Identifier, Nominal, Table, Values, format_number};
use crate::{Error, Result, parameter, quoted};

/// A class of labels may have this many: more look like names of the rows.
const MAX_CLASSES: usize = 1_000;

/// A numeric class may have this many distinct values.
const MAX_NUMERIC_CLASSES: usize = 20;

/// What the user said about the columns.
#[derive(Debug, Clone, Default)]
pub struct RoleOptions {
    /// The class column; else one named `class` in any case, else the last.
    pub class: Option<String>,
    /// Use only these features.
    pub features: Option<Vec<String>>,
    /// Never use these.
    pub ignore: Vec<String>,
    /// The column of the weights of rows: neither class nor feature.
    pub weight: Option<String>,
}

/// The columns' parts, as positions in the table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Roles {
    /// The class.
    pub class: usize,
    /// The candidates, in file order.
    pub features: Vec<usize>,
    /// Columns that the user left out, in file order.
    pub excluded: Vec<usize>,
    /// Columns that are set aside because they name the rows, in file order.
    pub identifiers: Vec<Identifier>,
    /// What was decided without being told, as sentences.
    pub notes: Vec<String>,
}

impl Roles {
    /// Finds every named column.
    ///
    /// # Errors
    /// A name that no column has (the nearest is suggested), the class among the
    /// features or the ignored, a name both wanted and ignored, the weights as class or feature,
    /// or no feature left.
    ///
    /// # Example
    /// ```
    /// use bayesieve::data::{Column, KindOrigin, RoleOptions, Roles, Table, Values};
    ///
    /// let column = |name: &str| Column::new(name, Values::Numeric(vec![]), KindOrigin::Numbers);
    /// let table = Table::new(vec![column("Class"), column("a"), column("b")])?;
    /// let roles = Roles::resolve(&table, &RoleOptions::default())?;
    /// assert_eq!(roles.class, 0);
    /// assert_eq!(roles.features, [1, 2]);
    /// # Ok::<(), bayesieve::Error>(())
    /// ```
    pub fn resolve(table: &Table, options: &RoleOptions) -> Result<Self> {
        let names: Vec<&str> = table.names().collect();
        Roles::of_names(&names, options)
    }

    /// As [`Roles::resolve`] for a table that is known by its names alone.
    ///
    /// # Errors
    /// As [`Roles::resolve`].
    pub fn of_names(names: &[&str], options: &RoleOptions) -> Result<Self> {
        let mut notes = Vec::new();
        let weight = weight_position(names, options.weight.as_deref())?;
        let class = find_class(names, options, &mut notes)?;
        let class_name = names[class];
        let ignored = find_all(names, &options.ignore, "ignore")?;
        if ignored.contains(&class) {
            return Err(Error::usage(format!(
                "{ignore} names the class {}",
                quoted(class_name),
                ignore = parameter("ignore")
            ))
            .with_hint(format!(
                "Name another class ({}), or do not ignore this column.",
                parameter("class")
            )));
        }
        let wanted = match &options.features {
            Some(features) => {
                let wanted = find_all(names, features, "features")?;
                check_wanted(names, &wanted, class, &ignored)?;
                refuse_weight(
                    names,
                    weight.filter(|place| wanted.contains(place)),
                    "features",
                )?;
                wanted
            }
            None => (0..names.len()).collect(),
        };
        let mut is_used = vec![false; names.len()];
        wanted.iter().for_each(|&position| is_used[position] = true);
        ignored
            .iter()
            .for_each(|&position| is_used[position] = false);
        let (features, excluded): (Vec<usize>, Vec<usize>) = (0..names.len())
            .filter(|&position| position != class && Some(position) != weight)
            .partition(|&position| is_used[position]);
        if features.is_empty() {
            return Err(
                Error::data("there is no feature beside the class").with_hint(format!(
                    "Is {} really the class, and the delimiter right? See {class} and {delimiter}.",
                    quoted(class_name),
                    class = parameter("class"),
                    delimiter = parameter("delimiter")
                )),
            );
        }
        Ok(Roles {
            class,
            features,
            excluded,
            identifiers: Vec::new(),
            notes,
        })
    }
}

fn check_wanted(names: &[&str], wanted: &[usize], class: usize, ignored: &[usize]) -> Result<()> {
    for &position in wanted {
        let name = quoted(names[position]);
        if position == class {
            return Err(Error::usage(format!(
                "{features} names the class {name}",
                features = parameter("features")
            ))
            .with_hint(format!(
                "Leave it out, or name another class ({}).",
                parameter("class")
            )));
        }
        if ignored.contains(&position) {
            return Err(Error::usage(format!(
                "{name} is named by both {features} and {ignore}",
                features = parameter("features"),
                ignore = parameter("ignore")
            ))
            .with_hint("Name it in one of them."));
        }
    }
    Ok(())
}

/// Refuses the column of the weights where another parameter names it.
fn refuse_weight(names: &[&str], weight: Option<usize>, named_by: &str) -> Result<()> {
    match weight {
        Some(weight) => Err(Error::usage(format!(
            "{} is named by both {} and {}",
            quoted(names[weight]),
            parameter("weight"),
            parameter(named_by)
        ))
        .with_hint("Name it in one of them.")),
        None => Ok(()),
    }
}

/// Where the weights are.
pub(super) fn weight_position(names: &[&str], asked: Option<&str>) -> Result<Option<usize>> {
    let Some(asked) = asked else {
        return Ok(None);
    };
    let place = names.iter().position(|name| *name == asked);
    place.map(Some).ok_or_else(|| {
        let what = format!("{} column", parameter("weight"));
        unknown_name(&what, asked, names.iter().copied())
    })
}

fn find_class(names: &[&str], options: &RoleOptions, notes: &mut Vec<String>) -> Result<usize> {
    let asked = options.class.as_deref();
    let weight = weight_position(names, options.weight.as_deref())?;
    refuse_weight(
        names,
        weight.filter(|&place| Some(names[place]) == asked),
        "class",
    )?;
    let Some((class, found)) = class_position(names, asked, weight) else {
        return Err(match asked {
            Some(asked) => {
                let what = format!("{} column", parameter("class"));
                unknown_name(&what, asked, names.iter().copied())
            }
            None => Error::data("there is no column for the class"),
        });
    };
    let name = quoted(names[class]);
    match (asked, found) {
        (Some(asked), ClassFound::InOtherCase) => {
            notes.push(format!("the class {} is taken to be {name}", quoted(asked)));
        }
        (_, ClassFound::Last) => notes.push(format!(
            "the class is the last column, {name}; name another if that is wrong"
        )),
        _ => {}
    }
    Ok(class)
}

/// How the class was told from the other columns.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ClassFound {
    /// By its name, letter for letter.
    ByName,
    /// By its name in another letter case.
    InOtherCase,
    /// Nobody named it: it is the last.
    Last,
}

/// The class among these names: the one asked for, exactly or as the only one in another
/// letter case; where none was asked for, the same for `class`, else the last. It is never the
/// column of the weights.
pub(super) fn class_position(
    names: &[&str],
    asked: Option<&str>,
    weight: Option<usize>,
) -> Option<(usize, ClassFound)> {
    let wanted = asked.unwrap_or("class");
    let places = || (0..names.len()).filter(|&place| Some(place) != weight);
    if let Some(exact) = places().find(|&place| names[place] == wanted) {
        return Some((exact, ClassFound::ByName));
    }
    let wanted = wanted.to_lowercase();
    let mut alike = places().filter(|&place| names[place].to_lowercase() == wanted);
    if let (Some(only), None) = (alike.next(), alike.next()) {
        return Some((only, ClassFound::InOtherCase));
    }
    let last = places().next_back().filter(|_| asked.is_none());
    last.map(|last| (last, ClassFound::Last))
}

fn find_all(names: &[&str], wanted: &[String], option: &str) -> Result<Vec<usize>> {
    let positions: HashMap<&str, usize> = names.iter().zip(0..).map(|(n, i)| (*n, i)).collect();
    let find = |name: &String| {
        positions.get(name.as_str()).copied().ok_or_else(|| {
            unknown_name(
                &format!("{} column", parameter(option)),
                name,
                names.iter().copied(),
            )
        })
    };
    wanted.iter().map(find).collect()
}

/// The class column as codes: a numeric class with few values counts as nominal.
///
/// # Errors
/// A numeric class with more than 20 distinct values, or a class without any value.
pub fn class_codes(column: &Column) -> Result<Nominal> {
    let nominal = match column.values() {
        Values::Nominal(nominal) => nominal.clone(),
        Values::Numeric(numbers) => {
            let n_distinct = column.n_distinct();
            check_numeric_classes(column.name(), n_distinct)?;
            number_labels(numbers)
        }
    };
    check_classes(column.name(), nominal.domain.labels().len())?;
    if nominal.codes.n_missing() == nominal.codes.len() {
        return Err(no_class(column.name()));
    }
    Ok(nominal)
}

/// Refuses a class of too many different numbers.
pub(super) fn check_numeric_classes(name: &str, n_distinct: usize) -> Result<()> {
    if n_distinct <= MAX_NUMERIC_CLASSES {
        return Ok(());
    }
    Err(Error::data(format!(
        "the class is numeric with {n_distinct} distinct values, at most \
         {MAX_NUMERIC_CLASSES} can be classes"
    ))
    .in_column(name)
    .with_hint(format!(
        "Bin it ({bins}), declare it nominal ({nominal}), or name another class ({class}).",
        bins = parameter("bins").is(5),
        nominal = parameter("nominal").is(name),
        class = parameter("class")
    )))
}

/// Refuses a class of too many labels.
pub(super) fn check_classes(name: &str, n_labels: usize) -> Result<()> {
    if n_labels <= MAX_CLASSES {
        return Ok(());
    }
    Err(Error::data(format!(
        "the class has {n_labels} distinct values, at most {MAX_CLASSES} can be classes"
    ))
    .in_column(name)
    .with_hint(format!(
        "It looks like a name of every row: name another class ({}).",
        parameter("class")
    )))
}

/// The error for a class without any value.
pub(super) fn no_class(name: &str) -> Error {
    Error::data("the class has no value in any row")
        .in_column(name)
        .with_hint(format!("Name another class ({}).", parameter("class")))
}

/// Numbers as labels, in order of value.
pub(super) fn number_labels(numbers: &[f64]) -> Nominal {
    let distinct = distinct_numbers(numbers.iter().copied());
    let code = |x: &f64| {
        let place = distinct.binary_search_by(|known| known.total_cmp(&(x + 0.0)));
        place.ok().map(|code| code as u32)
    };
    let codes = Codes::new(distinct.len(), numbers.iter().map(code));
    let labels = distinct.iter().map(|&x| format_number(x)).collect();
    Nominal::new(codes, Domain::ordered(labels))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ErrorKind;
    use crate::data::KindOrigin;

    fn table(names: &[&str]) -> Table {
        let column =
            |name: &&str| Column::new(*name, Values::Numeric(vec![1.0]), KindOrigin::Numbers);
        Table::new(names.iter().map(column).collect()).unwrap()
    }

    fn class(name: &str) -> RoleOptions {
        RoleOptions {
            class: Some(name.into()),
            ..RoleOptions::default()
        }
    }

    fn names(list: &[&str]) -> Vec<String> {
        list.iter().map(ToString::to_string).collect()
    }

    #[test]
    fn the_class_is_found_by_name_case_or_place() {
        let cases: [(&[&str], RoleOptions, usize, usize); 6] = [
            (&["a", "CLASS", "b"], RoleOptions::default(), 1, 0),
            (&["a", "b"], RoleOptions::default(), 1, 1),
            // The exact name before another case; two other cases: neither is meant.
            (&["Class", "class", "b"], RoleOptions::default(), 1, 0),
            (&["Class", "CLASS", "b"], RoleOptions::default(), 2, 1),
            (&["y", "Y", "b"], class("Y"), 1, 0),
            (&["a", "Target"], class("target"), 1, 1),
        ];
        for (columns, options, expected, n_notes) in cases {
            let roles = Roles::resolve(&table(columns), &options).unwrap();
            assert_eq!(
                (roles.class, roles.notes.len()),
                (expected, n_notes),
                "{columns:?}"
            );
        }
    }

    #[test]
    fn a_misspelt_class_suggests_the_nearest_name() {
        let error = Roles::resolve(&table(&["age", "income"]), &class("incme")).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Usage);
        assert!(error.to_string().contains("\"income\""), "{error}");
    }

    #[test]
    fn contradicting_options_are_refused() {
        let table = table(&["a", "b", "class"]);
        let cases = [
            (Some(names(&["a"])), names(&["a"])),
            (Some(names(&["class"])), names(&[])),
            (None, names(&["class"])),
            (None, names(&["zzz"])),
        ];
        for (features, ignore) in cases {
            let options = RoleOptions {
                features,
                ignore,
                ..RoleOptions::default()
            };
            let error = Roles::resolve(&table, &options).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::Usage, "{error}");
        }
    }

    #[test]
    fn ignored_columns_are_excluded_and_a_table_without_features_is_refused() {
        let table = table(&["a", "b", "class"]);
        let ignoring = |ignore| RoleOptions {
            ignore,
            ..RoleOptions::default()
        };
        let roles = Roles::resolve(&table, &ignoring(names(&["a"]))).unwrap();
        assert_eq!((roles.features, roles.excluded), (vec![1], vec![0]));
        let error = Roles::resolve(&table, &ignoring(names(&["a", "b"]))).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Data);
    }

    #[test]
    fn weights_are_neither_class_nor_feature() {
        let table = table(&["a", "b", "w"]);
        let weighing = RoleOptions {
            weight: Some("w".into()),
            ..RoleOptions::default()
        };
        let roles = Roles::resolve(&table, &weighing).unwrap();
        assert_eq!((roles.class, roles.features), (1, vec![0]));
        assert!(roles.excluded.is_empty());
        let named = |class: &str, features: &[&str], weight: &str| RoleOptions {
            class: Some(class.into()),
            features: Some(names(features)),
            weight: Some(weight.into()),
            ..RoleOptions::default()
        };
        let cases = [
            (named("w", &["a"], "w"), "named by both weight and class"),
            (
                named("b", &["a", "w"], "w"),
                "named by both weight and features",
            ),
            (named("b", &["a"], "v"), "weight column"),
        ];
        for (options, part) in cases {
            let error = Roles::resolve(&table, &options).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::Usage);
            assert!(error.to_string().contains(part), "{error}");
        }
    }

    #[test]
    fn numbers_become_classes_in_order_of_value() {
        let values = Values::Numeric(vec![10.0, 2.5, f64::NAN, 10.0]);
        let nominal = class_codes(&Column::new("y", values, KindOrigin::Numbers)).unwrap();
        assert_eq!(nominal.domain.labels(), ["2.5", "10"]);
        assert_eq!(
            nominal.codes,
            Codes::new(2, [Some(1), Some(0), None, Some(1)])
        );
        let many = Values::Numeric((0..21).map(f64::from).collect());
        let error = class_codes(&Column::new("y", many, KindOrigin::Numbers)).unwrap_err();
        assert!(error.to_string().contains("21 distinct values"), "{error}");
    }
}

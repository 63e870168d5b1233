//! Methods: named ways to choose features, and why every other feature can go.
//!
//! - [`METHODS`], [`Method`]: what there is, with formula, cost and settings.
//! - [`SelectOptions`], [`select`]: run one of them.
//! - [`Criterion`], [`rank`]: the rankers alone, without reasons.
//! - [`Selection`], [`Reason`]: what every method comes back with.

mod all;
mod cfs;
mod cmim;
mod explain;
mod fcbf;
mod gain_test;
mod info_as;
mod jmi;
mod koller_sahami;
mod mdl;
mod method;
mod mrmr;
mod rank;
#[cfg(test)]
mod rank_tests;
mod reason;
mod registry;
mod relief_f;
mod selection;
#[cfg(test)]
mod testing;
#[cfg(test)]
mod tests;

pub use crate::setting::{Setting, SettingKind, Settings};
pub use method::{Method, ScoreKind, Takes};
pub use rank::{Criterion, rank};
pub use reason::Reason;
pub use registry::METHODS;
pub use selection::{DataSummary, DroppedFeature, KeptFeature, NamedStep, Selection};

use explain::Explained;
use method::{Outcome, Task};

use crate::data::{CodedTable, Feature, MissingPolicy, Nominal, unknown_name};
use crate::error::{Error, Result, quoted};
use crate::info::Informations;
use crate::observer::Silent;
use crate::score::Structure;
use crate::search::{Limits, Search};
use crate::wording::counted;

/// What to select by: checked before any row is read.
#[derive(Debug, Clone)]
pub struct SelectOptions {
    method: &'static Method,
    settings: Settings,
    structure: Structure,
    search: Option<Search>,
    /// How many features to keep, for methods that rank.
    pub count: Option<usize>,
    /// Features that must stay in.
    pub keep: Vec<String>,
    /// The seed of methods that draw.
    pub seed: u64,
    /// What the table's gaps were coded as.
    pub missing: MissingPolicy,
}

impl SelectOptions {
    /// The method with its defaults.
    pub fn new(method: &'static Method) -> Result<Self> {
        Ok(SelectOptions {
            method,
            settings: Settings::parse(method.settings, [])?,
            structure: Structure::default(),
            search: method.takes.search,
            count: None,
            keep: Vec::new(),
            seed: 1,
            missing: MissingPolicy::default(),
        })
    }

    /// With some settings, as `name=value`.
    ///
    /// # Errors
    /// A name the method does not have or that comes twice, or a value out of range.
    pub fn with_settings<'t>(mut self, given: impl IntoIterator<Item = &'t str>) -> Result<Self> {
        self.settings = Settings::parse(self.method.settings, given)?;
        Ok(self)
    }

    /// With the classifier whose score counts.
    #[must_use]
    pub fn with_structure(mut self, structure: Structure) -> Self {
        self.structure = structure;
        self
    }

    /// With another search than the method's own.
    ///
    /// # Errors
    /// The method walks no sets.
    pub fn with_search(mut self, search: Search) -> Result<Self> {
        if self.method.takes.search.is_none() {
            let name = self.method.name;
            return Err(Error::usage(format!("{name} has a search of its own"))
                .with_hint("Leave --search out, or choose another method."));
        }
        self.search = Some(search);
        Ok(self)
    }

    /// With a number of features to keep.
    ///
    /// # Errors
    /// None at all, or the method does not rank.
    pub fn with_count(mut self, count: usize) -> Result<Self> {
        let name = self.method.name;
        if !self.method.takes.count {
            return Err(
                Error::usage(format!("{name} finds the number of features by itself"))
                    .with_hint("Leave --count out, or choose a ranker such as mrmr."),
            );
        }
        if count == 0 {
            return Err(
                Error::usage("--count 0 would keep nothing").with_hint("Give a number from 1 on.")
            );
        }
        self.count = Some(count);
        Ok(self)
    }

    /// The method.
    pub fn method(&self) -> &'static Method {
        self.method
    }

    /// How sets are walked, for methods that walk them.
    pub fn search(&self) -> Option<Search> {
        self.search
    }

    /// Bytes that a run over so many features keeps for their pairs, where it keeps all of
    /// them: walks that begin with many features do.
    ///
    /// # Example
    /// ```
    /// use bayesieve::search::Search;
    /// use bayesieve::select::{Method, SelectOptions};
    ///
    /// let options = SelectOptions::new(Method::named("mdl-fs")?)?;
    /// assert_eq!(options.bytes_of_pairs(10_000), 0); // forward: pairs of kept features only
    /// let backward = options.with_search(Search::Backward)?;
    /// assert_eq!(backward.bytes_of_pairs(10_000), 1_600_000_000);
    /// # Ok::<(), bayesieve::Error>(())
    /// ```
    pub fn bytes_of_pairs(&self, n_features: usize) -> u64 {
        let keeps_all = matches!(
            self.search,
            Some(Search::Backward | Search::BackwardFloating | Search::Genetic)
        );
        if !keeps_all {
            return 0;
        }
        // Information without and with the class for a classifier, one number else.
        let bytes_of_pair = if self.method.takes.model { 16 } else { 8 };
        (n_features as u64)
            .saturating_pow(2)
            .saturating_mul(bytes_of_pair)
    }

    /// Refuses gaps left open (`--missing available`) where a method counts larger tables.
    ///
    /// # Errors
    /// The method needs whole rows.
    pub fn with_missing(mut self, missing: MissingPolicy) -> Result<Self> {
        let k = self.settings.integer("k").unwrap_or(0);
        let is_wide = self.method.name == "koller-sahami" && k > 1;
        if missing == MissingPolicy::Available && (!self.method.takes.available || is_wide) {
            let name = self.method.name;
            return Err(
                Error::usage(format!("--missing available does not work with {name}"))
                    .with_hint("It needs whole rows: use value or drop."),
            );
        }
        self.missing = missing;
        Ok(self)
    }
}

/// Chooses features and says why every other one is out.
///
/// # Errors
/// One class only, a feature to keep that does not exist, numbers without bins where the
/// method counts, or a stop from outside before the first step.
///
/// # Example
/// ```
/// use bayesieve::Silent;
/// use bayesieve::data::{CodedTable, CodingOptions, Generator, RoleOptions, Roles};
/// use bayesieve::search::Limits;
/// use bayesieve::select::{Method, SelectOptions, select};
///
/// let table = Generator::Example1.generate(3200, 1)?;
/// let roles = Roles::resolve(&table, &RoleOptions::default())?;
/// let coded = CodedTable::new(&table, &roles, CodingOptions::default())?;
/// let options = SelectOptions::new(Method::named("mdl-fs")?)?;
/// let selection = select(&coded, &options, &Limits::new(&Silent))?;
/// assert_eq!(selection.kept_names(), ["A2", "A6", "A1", "A4"]);
/// let a8 = selection.dropped.iter().find(|dropped| dropped.feature == "A8");
/// let sentence = a8.map(|dropped| dropped.reason.sentence());
/// assert_eq!(sentence.as_deref(), Some("it says the same as A2 in every row"));
/// # Ok::<(), bayesieve::Error>(())
/// ```
pub fn select(
    table: &CodedTable,
    options: &SelectOptions,
    limits: &Limits<'_>,
) -> Result<Selection> {
    check_class(table)?;
    let mut warnings = Vec::new();
    let candidates = Candidates::new(table, options)?;
    // Numbers without bins take part as one value: nothing is known of them by counts.
    let one_value = Nominal::from_labels((0..table.n_rows()).map(|_| Some("")));
    let coded = candidates.coded.iter();
    let coded: Vec<&Nominal> = coded.map(|coded| coded.unwrap_or(&one_value)).collect();
    let told = Informations::new(&coded, &table.class)?;
    let keep = candidates.find(&options.keep)?;
    let n = candidates.places.len();
    if let Some(count) = options.count.filter(|&count| count > n) {
        warnings.push(format!(
            "--count {count}: there are {} to choose from, all are ranked",
            counted(n as u64, "feature")
        ));
    }
    let task = Task {
        table,
        places: &candidates.places,
        told: &told,
        keep: &keep,
        count: options.count.map(|count| count.min(n)),
        structure: options.structure,
        search: options.search.unwrap_or_default(),
        settings: &options.settings,
        seed: options.seed,
        limits,
    };
    let outcome = (options.method.run)(&task)?;
    assembled(&task, options, &candidates, (outcome, warnings))
}

/// The selection of an outcome: names, informations, reasons.
fn assembled(
    task: &Task<'_, '_>,
    options: &SelectOptions,
    candidates: &Candidates<'_>,
    (outcome, warnings): (Outcome, Vec<String>),
) -> Result<Selection> {
    let table = task.table;
    let takes = options.method.takes;
    Ok(Selection {
        data: DataSummary {
            n_rows: table.n_rows(),
            n_features: table.features.len(),
            class: table.class_name.clone(),
            classes: table.class.domain.labels().to_vec(),
        },
        method: options.method.name,
        model: takes.model.then(|| options.structure.name()),
        search: takes.search.map(|_| task.search.name()),
        settings: options
            .settings
            .iter()
            .map(|(name, value)| (name, value.to_owned()))
            .collect(),
        seed: options.seed,
        kept: kept(task, options, candidates, &outcome)?,
        dropped: dropped(task, candidates, &outcome)?,
        score: outcome.score,
        start: outcome.start,
        value: outcome.value,
        steps: outcome
            .steps
            .iter()
            .map(|step| NamedStep {
                action: step.action,
                feature: candidates.names[step.feature].to_owned(),
                score: step.score,
            })
            .collect(),
        stop: outcome.stop,
        n_evaluations: outcome.n_evaluations,
        warnings,
    })
}

fn explained<'t, 'a>(
    task: &'t Task<'_, 'a>,
    candidates: &'t Candidates<'_>,
    outcome: &'t Outcome,
) -> Explained<'t, 'a> {
    Explained {
        told: task.told,
        names: &candidates.names,
        // Numbers that no cut divides have one code, which tells nothing either.
        is_coded: candidates
            .coded
            .iter()
            .map(|coded| coded.is_some_and(|coded| coded.n_values() > 1))
            .collect(),
        kept: &outcome.kept,
        misses: &outcome.misses,
    }
}

fn kept(
    task: &Task<'_, '_>,
    options: &SelectOptions,
    candidates: &Candidates<'_>,
    outcome: &Outcome,
) -> Result<Vec<KeptFeature>> {
    let has_whole_rows = options.missing != MissingPolicy::Available;
    let is_coded = outcome
        .kept
        .iter()
        .all(|&feature| candidates.coded[feature].is_some());
    let given_rest = if has_whole_rows && is_coded {
        // What was found must be explained, even if time is over.
        Some(explained(task, candidates, outcome).given_rest(&Silent)?)
    } else {
        None
    };
    let kept = outcome.kept.iter().enumerate();
    Ok(kept
        .map(|(place, &feature)| KeptFeature {
            feature: candidates.names[feature].to_owned(),
            alone_bits: candidates.coded[feature].map(|_| task.told.single(feature).mutual),
            given_rest_bits: given_rest.as_ref().map(|gains| gains[place]),
        })
        .collect())
}

/// Every feature that is out, in column order, with its reason.
fn dropped(
    task: &Task<'_, '_>,
    candidates: &Candidates<'_>,
    outcome: &Outcome,
) -> Result<Vec<DroppedFeature>> {
    let mut is_kept = vec![false; candidates.places.len()];
    outcome
        .kept
        .iter()
        .for_each(|&feature| is_kept[feature] = true);
    let out: Vec<usize> = (0..is_kept.len()).filter(|&f| !is_kept[f]).collect();
    let reasons = explained(task, candidates, outcome).reasons(&out, &Silent)?;
    let told = out.into_iter().zip(reasons).map(|(feature, reason)| {
        let alone = candidates.coded[feature].map(|_| task.told.single(feature).mutual);
        (candidates.places[feature], alone, reason)
    });
    let silent = candidates.silent.iter();
    let silent = silent.map(|(place, reason)| (*place, Some(0.0), reason.clone()));
    let mut dropped: Vec<(usize, Option<f64>, Reason)> = told.chain(silent).collect();
    dropped.sort_by_key(|&(place, ..)| place);
    let dropped = dropped
        .into_iter()
        .map(|(place, alone_bits, reason)| DroppedFeature {
            feature: task.table.features[place].column.name().to_owned(),
            alone_bits,
            reason,
        });
    Ok(dropped.collect())
}

/// The features a method may choose from.
struct Candidates<'a> {
    /// Their places in the table.
    places: Vec<usize>,
    names: Vec<&'a str>,
    /// Their codes; `None` for numbers without bins.
    coded: Vec<Option<&'a Nominal>>,
    /// The places of features that can tell nothing, and why.
    silent: Vec<(usize, Reason)>,
    table: &'a CodedTable,
}

impl<'a> Candidates<'a> {
    fn new(table: &'a CodedTable, options: &SelectOptions) -> Result<Self> {
        let mut candidates = Candidates {
            places: Vec::new(),
            names: Vec::new(),
            coded: Vec::new(),
            silent: Vec::new(),
            table,
        };
        let takes_numbers = options.method.takes.numbers;
        for (place, feature) in table.features.iter().enumerate() {
            let name = feature.column.name();
            if feature.coded.is_none() && !takes_numbers {
                let message = format!("{} counts values, not numbers", options.method.name);
                return Err(Error::usage(message)
                    .in_column(name)
                    .with_hint("Bin it: leave --discretize none out."));
            }
            // A feature the user wants stays, even if it tells nothing.
            let is_wanted = options.keep.iter().any(|keep| keep == name);
            match silence(feature, takes_numbers).filter(|_| !is_wanted) {
                Some(reason) => candidates.silent.push((place, reason)),
                None => {
                    candidates.places.push(place);
                    candidates.names.push(name);
                    candidates.coded.push(feature.coded.as_ref());
                }
            }
        }
        Ok(candidates)
    }

    /// The features to keep, by number.
    fn find(&self, keep: &[String]) -> Result<Vec<usize>> {
        let mut found = Vec::new();
        for wanted in keep {
            if *wanted == self.table.class_name {
                return Err(
                    Error::usage(format!("--keep names the class {}", quoted(wanted)))
                        .with_hint("Name features only."),
                );
            }
            let place = self.names.iter().position(|name| name == wanted);
            let place =
                place.ok_or_else(|| unknown_name("feature", wanted, self.names.iter().copied()))?;
            if found.contains(&place) {
                return Err(
                    Error::usage(format!("--keep names {} twice", quoted(wanted)))
                        .with_hint("Name it once."),
                );
            }
            found.push(place);
        }
        Ok(found)
    }
}

/// Why a feature can tell nothing, if it cannot.
fn silence(feature: &Feature, takes_numbers: bool) -> Option<Reason> {
    let is_coded_alike = |coded: &Nominal| coded.n_values() < 2;
    let has_one_code = feature.coded.as_ref().is_none_or(is_coded_alike);
    if !has_one_code {
        return None;
    }
    if feature.column.as_numeric().is_none() || feature.column.n_distinct() < 2 {
        return Some(Reason::Constant);
    }
    (!takes_numbers).then_some(Reason::Uncut)
}

fn check_class(table: &CodedTable) -> Result<()> {
    let n_present = {
        let mut is_present = vec![false; table.class.n_values()];
        let codes = table.class.codes.iter().flatten();
        codes.for_each(|code| is_present[code as usize] = true);
        is_present.iter().filter(|&&present| present).count()
    };
    if n_present < 2 {
        return Err(
            Error::data("the class has only one value: there is nothing to tell")
                .in_column(&table.class_name)
                .with_hint("Choose another class (--class)."),
        );
    }
    Ok(())
}

impl Selection {
    /// Adds the features that the user left out, so that every column has its place.
    pub fn exclude(&mut self, features: impl IntoIterator<Item = String>) {
        let excluded = features.into_iter().map(|feature| DroppedFeature {
            feature,
            alone_bits: None,
            reason: Reason::ExcludedByUser,
        });
        self.dropped.extend(excluded);
    }

    /// The names of the kept features, in their order.
    pub fn kept_names(&self) -> Vec<&str> {
        self.kept.iter().map(|kept| kept.feature.as_str()).collect()
    }
}

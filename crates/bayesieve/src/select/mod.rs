//! Methods: named ways to choose features, and why every other feature can go.
//!
//! - [`METHODS`], [`Method`]: what there is, with formula, cost and settings.
//! - [`SelectOptions`], [`select`], [`select_counted`]: run one of them; [`Checkpoint`]: go on where a run ended.
//! - [`rank`], [`rank_among`]: the rankers alone, without reasons.
//! - [`Selection`], [`Reason`]: what every method comes back with; [`NamedBoundary`]: what the
//!   kept features are to the class, for methods that find Markov boundaries; [`NamedBlocks`]:
//!   how far blocks of features hold the classes apart, for `separation`.

mod candidates;
mod checkpoint;
mod chosen;
#[cfg(test)]
mod counted_tests;
mod duplicates;
mod explain;
mod fingerprint;
mod gain_test;
mod kept;
mod method;
mod methods;
mod named_blocks;
mod named_boundary;
mod options;
mod rank;
#[cfg(test)]
mod rank_tests;
mod reason;
mod selection;
mod source;
#[cfg(test)]
mod testing;
#[cfg(test)]
mod tests;
mod walk;
#[cfg(test)]
mod wide_tests;
mod widened;

pub use crate::journal::Checkpoint;
pub use crate::setting::{Setting, SettingKind, Settings};
pub use method::{Method, ScoreKind, Takes};
pub use methods::METHODS;
pub use methods::mrmr::Among;
pub use named_blocks::{NamedBlock, NamedBlocks, NamedPair};
pub use named_boundary::{NamedBoundary, NamedEvidence, NamedMember, Role};
pub use options::SelectOptions;
pub use rank::{rank, rank_among};
pub use reason::{Absence, REASON_KINDS, Reason, ReasonKind, ReasonParts, Redundancy, WeakBlock};
pub use selection::{
    AutoCandidate, AutoReport, CorrectedAccuracy, DataSummary, DroppedFeature, HonestEstimate,
    InnerEstimate, KeptFeature, MeasuredPerformance, NamedOperator, NamedStep, PathPoint,
    Performance, PermutationTest, RunnerUp, Selection,
};

use candidates::Candidates;
pub(crate) use candidates::check_class;
use checkpoint::Journal;
pub(crate) use chosen::{Chosen, choose};
use explain::Explained;
use method::{Findings, Outcome, Task};
use methods::{boundaries, separation};
use named_blocks::Names;
use source::SelectionSource;
use widened::Widened;

use crate::classify::{Classifier, TrainOptions};
use crate::data::{CodedTable, Codes, CodingOptions, Domain, Feature, Nominal, Roles, Table};
use crate::info::{Counted, Informations};
use crate::search::{Action, FeatureOrder, Limits, Search};
use crate::wording::{counted, grouped};
use crate::{Observer, Result, Silent};

/// Pairs of features that are still counted when time is over: about a second.
const MAX_LATE_PAIRS: usize = 1 << 21;

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
    run(SelectionSource::Rows(table), options, limits, assembled)
}

/// As [`select`], from counts of rows that are somewhere else: the same selection to the last
/// bit.
///
/// What each kept feature tells given all others needs one table of all of them; where that
/// cannot be had it is unknown, and a warning says why.
///
/// # Errors
/// As [`select`]; also a method that needs rows, and tables that cannot be had.
///
/// # Cost
/// That of [`select`], with one look at the rows for every step that needs other tables.
pub fn select_counted(
    counted: &Counted,
    options: &SelectOptions,
    limits: &Limits<'_>,
) -> Result<Selection> {
    run(
        SelectionSource::Counted(counted),
        options,
        limits,
        assembled,
    )
}

/// The first features of a method's order, the best first: places in the table.
///
/// # Errors
/// As [`select`]; also a method without an order.
pub(crate) fn path(
    table: &CodedTable,
    options: &SelectOptions,
    max_len: usize,
    limits: &Limits<'_>,
) -> Result<Vec<usize>> {
    let count = match options.order() {
        // What leaves last comes first.
        Some(FeatureOrder::Removed) => 1,
        Some(FeatureOrder::Added) | None => max_len.max(1),
    };
    let n_needed = options.n_needed;
    let mut options = options.clone().with_count(count)?;
    options.n_needed = n_needed;
    run(
        SelectionSource::Rows(table),
        &options,
        limits,
        |_, candidates, (outcome, _)| {
            let left = outcome.steps.iter().rev();
            let left = left.filter(|step| step.action == Action::Remove);
            let mut order = outcome.kept.clone();
            for feature in left.map(|step| step.feature) {
                if order.len() < max_len && !order.contains(&feature) {
                    order.push(feature);
                }
            }
            Ok(order.iter().map(|&f| candidates.places[f]).collect())
        },
    )
}

/// Runs the method and hands over what it came back with.
fn run<T>(
    source: SelectionSource<'_>,
    options: &SelectOptions,
    limits: &Limits<'_>,
    finish: impl FnOnce(&Task<'_, '_>, &Candidates<'_>, (Outcome, Vec<String>)) -> Result<T>,
) -> Result<T> {
    source.check(options)?;
    let widened = Widened::new(source, options)?;
    let (source, options) = widened.parts(source, options);
    let table = source.table();
    let mut warnings: Vec<String> = widened.note().into_iter().collect();
    let candidates = Candidates::new(source, options)?;
    // Numbers without bins take part as one value: nothing is known of them by counts.
    let has_numbers = candidates.coded.iter().any(Option::is_none);
    let one_value = Nominal {
        codes: Codes::U8(vec![0; table.n_rows() * usize::from(has_numbers)]),
        domain: Domain::ordered(vec![String::new()]),
    };
    let coded = candidates.coded.iter();
    let coded: Vec<&Nominal> = coded.map(|coded| coded.unwrap_or(&one_value)).collect();
    let informations = match source {
        SelectionSource::Rows(table) => Informations::new(&coded, &table.class)?,
        SelectionSource::Counted(counted) => counted.informations(&candidates.places)?,
    };
    let keep = candidates.find(&options.keep)?;
    let n = candidates.places.len();
    if let Some(count) = options.count.filter(|&count| count > n) {
        warnings.push(format!(
            "a count of {count}: there are {} to choose from, all are ranked",
            counted(n as u64, "feature")
        ));
    }
    let journal = journal(table, options, n)?;
    warnings.extend(journal.iter().filter_map(|journal| journal.note.clone()));
    let search = options.search_among(n);
    if let Some(simpler) = search.filter(|_| search != options.search()) {
        warnings.push(format!(
            "{} features are many for {}: the search is {simpler} unless another is asked for",
            grouped(n as u64),
            options.search().unwrap_or(Search::FORWARD),
        ));
    }
    let task = Task {
        table,
        places: &candidates.places,
        n_offered: candidates.n_offered(),
        informations: &informations,
        keep: &keep,
        count: options.count.map(|count| count.min(n)),
        search: search.unwrap_or(Search::FORWARD),
        options,
        settings: options.settings(),
        seed: options.seed,
        journal: journal.as_ref(),
        limits,
    };
    let outcome = options.method().run(&task);
    let mut outcome = outcome.map_err(|error| source.blame(options.method(), error))?;
    warnings.append(&mut outcome.warnings);
    finish(&task, &candidates, (outcome, warnings))
}

/// The checkpoint of the run, where one is kept.
fn journal(
    table: &CodedTable,
    options: &SelectOptions,
    n_features: usize,
) -> Result<Option<Journal>> {
    let Some(checkpoint) = &options.checkpoint else {
        return Ok(None);
    };
    options.check_checkpoint()?;
    let run = checkpoint::run_of(table, options, n_features);
    Journal::new(checkpoint, run).map(Some)
}

/// The selection of an outcome: names, informations, reasons.
fn assembled(
    task: &Task<'_, '_>,
    candidates: &Candidates<'_>,
    (outcome, warnings): (Outcome, Vec<String>),
) -> Result<Selection> {
    let (table, options) = (task.table, task.options);
    let (kept, warning) = kept::features(task, candidates, &outcome)?;
    let dropped = dropped(task, candidates, &outcome)?;
    let left_out = kept::left_out(task, &outcome, &dropped);
    let leaks = kept::leaks(task, candidates);
    let warnings = warnings.into_iter().chain(warning).chain(left_out);
    let warnings = warnings.chain(leaks);
    let warnings = warnings.collect();
    Ok(Selection {
        data: DataSummary {
            n_rows: task.informations.n_rows(),
            features: table
                .features
                .iter()
                .map(|feature| feature.column.name().to_owned())
                .collect(),
            class: table.class_name.clone(),
            classes: table.class.domain.labels().to_vec(),
        },
        method: options.method().name,
        model: options.model().map(|model| model.name()),
        search: options.search().map(|_| task.search.name()),
        settings: options.all_settings(),
        seed: options.seed,
        kept,
        dropped,
        score: outcome.score,
        start: outcome.start,
        value: outcome.value,
        steps: steps(task, candidates, &outcome),
        stop: outcome.stop,
        n_evaluations: outcome.n_evaluations,
        n_repeated: outcome.n_repeated,
        estimate: outcome.estimate,
        honest: None,
        auto: None,
        path: Vec::new(),
        performance: None,
        n_folds: None,
        permutations: None,
        boundary: outcome
            .findings
            .boundary()
            .map(|boundary| NamedBoundary::new(boundary, &names_of_nodes(task, candidates))),
        blocks: match &outcome.findings {
            Findings::Blocks(blocks) => {
                let found = blocks.found.as_ref();
                found.map(|found| NamedBlocks::new(found, &named(task, candidates)))
            }
            _ => None,
        },
        warnings,
    })
}

/// The names of a boundary's nodes: the features, then the class.
fn names_of_nodes<'a>(task: &'a Task<'_, '_>, candidates: &'a Candidates<'_>) -> Vec<&'a str> {
    let class = std::iter::once(task.table.class_name.as_str());
    candidates.names.iter().copied().chain(class).collect()
}

fn named<'a>(task: &'a Task<'_, '_>, candidates: &'a Candidates<'_>) -> Names<'a> {
    Names {
        features: &candidates.names,
        classes: task.table.class.domain.labels(),
    }
}

fn steps(task: &Task<'_, '_>, candidates: &Candidates<'_>, outcome: &Outcome) -> Vec<NamedStep> {
    let names = names_of_nodes(task, candidates);
    let moves = outcome.findings.boundary();
    let moves = moves.map(|boundary| &boundary.moves);
    let operator = |place: usize| {
        let operator = moves?.get(place)?;
        Some(NamedOperator {
            name: operator.kind.name(),
            with: names[operator.partner()].to_owned(),
        })
    };
    let steps = outcome.steps.iter().enumerate();
    steps
        .map(|(place, step)| NamedStep {
            action: step.action,
            feature: names[step.feature].to_owned(),
            score: step.score,
            operator: operator(place),
        })
        .collect()
}

fn explained<'t, 'a>(
    task: &'t Task<'_, 'a>,
    candidates: &'t Candidates<'_>,
    outcome: &'t Outcome,
) -> Explained<'t, 'a> {
    Explained {
        info: task.informations,
        names: &candidates.names,
        // Numbers that no cut divides have one code, which tells nothing either.
        is_coded: candidates
            .coded
            .iter()
            .map(|coded| coded.is_some_and(|coded| coded.n_values() > 1))
            .collect(),
        kept: if is_too_late(task, outcome) {
            &[]
        } else {
            &outcome.kept
        },
        misses: &outcome.misses,
        naming_bits: &outcome.naming_bits,
    }
}

/// Whether a run that was cut short kept so many features that their pairs with the others
/// would take longer than a moment: then each is explained by itself.
fn is_too_late(task: &Task<'_, '_>, outcome: &Outcome) -> bool {
    let n_out = task.places.len() - outcome.kept.len();
    outcome.stop.is_early() && outcome.kept.len().saturating_mul(n_out) > MAX_LATE_PAIRS
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
    let reasons = match &outcome.findings {
        Findings::Boundary(boundary) => {
            let names = names_of_nodes(task, candidates);
            boundaries::reasons(boundary, &out, &names)
        }
        Findings::Blocks(blocks) => {
            separation::reasons(blocks, &outcome.kept, &out, &named(task, candidates))
        }
        Findings::Nothing => explained(task, candidates, outcome).reasons(&out, &Silent)?,
    };
    let informations = out.into_iter().zip(reasons).map(|(feature, reason)| {
        let alone = candidates.coded[feature].map(|_| task.informations.single(feature).mutual);
        (candidates.places[feature], alone, reason)
    });
    let silent = candidates.silent.iter();
    let silent = silent.map(|(place, reason)| (*place, Some(0.0), reason.clone()));
    let mut dropped: Vec<(usize, Option<f64>, Reason)> = informations.chain(silent).collect();
    dropped.sort_by_key(|&(place, ..)| place);
    duplicates::settle(task, &mut dropped);
    let dropped = dropped
        .into_iter()
        .map(|(place, alone_bits, reason)| DroppedFeature {
            feature: task.table.features[place].column.name().to_owned(),
            alone_bits,
            reason,
            kept_in_folds: None,
        });
    Ok(dropped.collect())
}

impl Selection {
    /// Adds the features that were no candidates, each with the reason, so that every column
    /// has its place.
    pub fn exclude(&mut self, features: impl IntoIterator<Item = (String, Reason)>) {
        let excluded = features
            .into_iter()
            .map(|(feature, reason)| DroppedFeature {
                feature,
                alone_bits: None,
                reason,
                kept_in_folds: None,
            });
        self.dropped.extend(excluded);
    }

    /// Trains a model on what is kept, in column order.
    ///
    /// # Errors
    /// As [`CodedTable::new`] and [`Classifier::train`].
    pub fn train_on_kept(
        &self,
        (table, roles): (&Table, &Roles),
        coding: CodingOptions,
        training: &TrainOptions,
        observer: &dyn Observer,
    ) -> Result<Classifier> {
        let kept = self.kept.iter();
        let mut features: Vec<usize> = kept
            .filter_map(|kept| table.position(&kept.feature))
            .collect();
        features.sort_unstable();
        let roles = Roles {
            features,
            ..roles.clone()
        };
        let coded = CodedTable::watched(table, &roles, coding, observer)?;
        Classifier::train(&coded, training, observer)
    }

    /// As [`Selection::train_on_kept`], from counts of rows that are somewhere else.
    ///
    /// # Errors
    /// As [`Classifier::train_counted`].
    pub fn train_on_kept_counts(
        &self,
        counted: &Counted,
        training: &TrainOptions,
        observer: &dyn Observer,
    ) -> Result<Classifier> {
        let kept = self.kept_names();
        let features = counted.outline().features.iter().enumerate();
        let is_kept = |feature: &Feature| kept.contains(&feature.column.name());
        let places = features.filter_map(|(place, feature)| is_kept(feature).then_some(place));
        let counted = counted.with_features(&places.collect::<Vec<_>>())?;
        Classifier::train_counted(&counted, training, observer)
    }

    /// The names of the kept features, in their order.
    pub fn kept_names(&self) -> Vec<&str> {
        self.kept.iter().map(|kept| kept.feature.as_str()).collect()
    }
}

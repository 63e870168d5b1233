//! What to select by: a method with everything it takes, checked before any row is read.

use super::method::Method;
use crate::classify::{ModelKind, NumberUse, TrainOptions};
use crate::data::{CodingOptions, Folds, MissingPolicy, nearest};
use crate::journal::Checkpoint;
use crate::measure::{Measure, Stakes};
use crate::search::{FeatureOrder, Search, SearchOptions};
use crate::setting::{Setting, Settings};
use crate::{Error, Result, parameter, quoted, setting};

/// Settings that say how folds are drawn.
const OF_FOLDS: [&str; 2] = ["cv", "repeat"];

/// Above this many features a method may have a simpler search by default (Inza and
/// others, 2000, section 5).
const MANY_FEATURES: usize = 100;

/// What to select by: checked before any row is read.
///
/// Settings belong to the method, to its search and to the model it trains: give them last.
/// Whatever comes later is checked against them again.
#[derive(Debug, Clone)]
pub struct SelectOptions {
    method: &'static Method,
    /// As the user said it; methods without a model leave it to what is trained afterwards.
    model: Option<ModelKind>,
    search: Option<Search>,
    /// `name=value`, as the user said it.
    given: Vec<String>,
    settings: Settings,
    training: TrainOptions,
    coding: CodingOptions,
    folds: Option<Folds>,
    /// How many features to keep, for methods that rank.
    pub count: Option<usize>,
    /// Features that must stay in.
    pub keep: Vec<String>,
    /// The seed of methods that draw.
    pub seed: u64,
    /// Where scored sets are written as they come, for walks by a score.
    pub checkpoint: Option<Checkpoint>,
    /// So many features must be there to choose from: where fewer have a supervised cut point or
    /// are no duplicates, others take part as well.
    pub(crate) n_needed: usize,
    /// Whether of columns that are equal or one-to-one only the first takes part.
    pub(crate) drops_duplicates: bool,
    /// What sets are scored by, for methods that train models: accuracy unless another is named.
    pub measure: &'static Measure,
    /// The positive class and the costs of that measure; without, the rarest class of the rows
    /// and no costs.
    pub stakes: Option<Stakes>,
}

impl SelectOptions {
    /// The method with its defaults.
    pub fn new(method: &'static Method) -> Result<Self> {
        SelectOptions {
            method,
            model: None,
            search: None,
            given: Vec::new(),
            settings: Settings::parse(&[], [])?,
            training: TrainOptions::new(ModelKind::NaiveBayes),
            coding: CodingOptions::default(),
            folds: None,
            count: None,
            keep: Vec::new(),
            seed: 1,
            checkpoint: None,
            n_needed: 0,
            drops_duplicates: false,
            measure: Measure::ACCURACY,
            stakes: None,
        }
        .checked()
    }

    /// With some settings of the method, its search and its model, as `name=value`. Comes
    /// after the search and the model, which decide what settings there are.
    ///
    /// # Errors
    /// A name that none of them has or that comes twice, or a value out of range.
    pub fn with_settings<'t>(mut self, given: impl IntoIterator<Item = &'t str>) -> Result<Self> {
        self.given = given.into_iter().map(str::to_owned).collect();
        self.checked()
    }

    /// With the classifier whose score counts; for methods that score none, the one that
    /// is trained on what they keep ([`evaluate::Honest`](crate::evaluate::Honest)).
    ///
    /// # Errors
    /// The method has no score for it.
    pub fn with_model(mut self, model: ModelKind) -> Result<Self> {
        let known = self.method.takes.models;
        if !known.is_empty() && !known.contains(&model) {
            let message = format!("{} has no score for {model}", self.method.name);
            return Err(Error::usage(message).with_hint(format!(
                "Use {}.",
                either(
                    ModelKind::ALL
                        .iter()
                        .filter(|model| known.contains(model))
                        .map(|model| model.name())
                )
            )));
        }
        self.model = Some(model);
        self.checked()
    }

    /// With another search than the method's own.
    ///
    /// # Errors
    /// The method walks no sets, or not by this search.
    pub fn with_search(mut self, search: Search) -> Result<Self> {
        let (name, takes) = (self.method.name, self.method.takes);
        if takes.search.is_none() {
            return Err(
                Error::usage(format!("{name} has a search of its own")).with_hint(format!(
                    "Leave {} out, or choose another method.",
                    parameter("search")
                )),
            );
        }
        if !takes.takes_search(search) {
            let known = Search::all().filter(|&search| takes.takes_search(search));
            let message = format!("{name} draws populations of sets, which {search} does not");
            return Err(Error::usage(message).with_hint(format!(
                "Use {}, or {method}.",
                either(known.map(Search::name)),
                method = parameter("method").is("wrapper")
            )));
        }
        self.search = Some(search);
        self.checked()
    }

    /// Whether the same features are chosen by both, as far as method and model tell.
    pub(crate) fn is_same(&self, other: &SelectOptions) -> bool {
        self.method == other.method && self.model() == other.model()
    }

    /// How the method orders the features, where it can be asked for a number of them.
    pub fn order(&self) -> Option<FeatureOrder> {
        let of_search = self.search().and_then(Search::order);
        self.method.takes.order.or(of_search)
    }

    /// With a number of features to keep.
    ///
    /// # Errors
    /// None at all, or the method does not rank.
    pub fn with_count(mut self, count: usize) -> Result<Self> {
        if self.order().is_none() {
            let name = self.method.name;
            let error = Error::usage(format!("{name} finds the number of features by itself"));
            let hint = if self.method.takes.takes_search(Search::FORWARD) {
                format!("Add {}.", parameter("search").is(Search::FORWARD))
            } else {
                format!(
                    "Leave {} out, or choose a method with an order such as mrmr.",
                    parameter("count")
                )
            };
            return Err(error.with_hint(hint));
        }
        if count == 0 {
            return Err(
                Error::usage(format!("{} would keep nothing", parameter("count").is("0")))
                    .with_hint("Give a number from 1 on."),
            );
        }
        self.count = Some(count);
        self.n_needed = count;
        Ok(self)
    }

    /// With how the table was coded: methods that estimate accuracy code every training
    /// part again.
    ///
    /// # Errors
    /// Gaps left open (`--missing available`) where the method needs whole rows.
    pub fn with_coding(mut self, coding: CodingOptions) -> Result<Self> {
        self.coding = coding;
        self.checked()
    }

    /// With what the table's gaps were coded as.
    ///
    /// # Errors
    /// As [`SelectOptions::with_coding`].
    pub fn with_missing(mut self, missing: MissingPolicy) -> Result<Self> {
        self.coding.missing = missing;
        self.checked()
    }

    /// With folds of the rows that are used, instead of drawn ones.
    ///
    /// # Errors
    /// As [`SelectOptions::check_folds`].
    pub fn with_folds(mut self, folds: Folds) -> Result<Self> {
        self.check_folds()?;
        self.folds = Some(folds);
        self.checked()
    }

    /// Refuses folds where nothing is cross-validated.
    ///
    /// # Errors
    /// The method does not estimate accuracy by cross-validation.
    pub fn check_folds(&self) -> Result<()> {
        if self.is_cross_validated() {
            return Ok(());
        }
        let name = self.method.name;
        Err(Error::usage(format!(
            "{folds} does not work with {name}: it divides no rows into folds",
            folds = parameter("folds")
        ))
        .with_hint("It is for fss-ebna, and for wrapper with estimate=cv."))
    }

    /// Whether the method walks sets whose scores a checkpoint can hold.
    ///
    /// # Errors
    /// It does not.
    pub fn check_checkpoint(&self) -> Result<()> {
        let takes = self.method.takes;
        if takes.search.is_some() || takes.accuracy {
            return Ok(());
        }
        let name = self.method.name;
        Err(
            Error::usage(format!("{name} scores no sets: there is nothing to resume"))
                .with_hint(format!("Leave {} out.", parameter("checkpoint"))),
        )
    }

    /// The method.
    pub fn method(&self) -> &'static Method {
        self.method
    }

    /// The classifier whose score counts, for methods that score one.
    pub fn model(&self) -> Option<ModelKind> {
        let first = self.method.takes.models.first();
        first.map(|&first| self.model.unwrap_or(first))
    }

    /// How sets are walked, for methods that walk them.
    pub fn search(&self) -> Option<Search> {
        let own = self.method.takes.search;
        own.map(|own| self.search.unwrap_or(own))
    }

    /// The same for so many features: above 100 a method may prefer a simpler one.
    pub fn search_among(&self, n_features: usize) -> Option<Search> {
        let takes = self.method.takes;
        match takes.search_of_many.filter(|_| n_features > MANY_FEATURES) {
            Some(simpler) => Some(self.search.unwrap_or(simpler)),
            None => self.search(),
        }
    }

    /// The settings of the method and its search.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// The names of all settings: the method's, its search's, its model's.
    pub fn setting_names(&self) -> Vec<&'static str> {
        let own = self.settings.iter().map(|(name, _)| name);
        own.chain(self.model_settings()).collect()
    }

    /// Whether there is a setting of this name.
    pub fn has_setting(&self, name: &str) -> bool {
        self.setting_names().contains(&name)
    }

    /// How the model of a method that trains one is trained; else the model to train on
    /// what the method keeps, with its defaults.
    pub fn training(&self) -> &TrainOptions {
        &self.training
    }

    /// How to train on what the method keeps: the model that chose, unless the method's
    /// paper has another; where none chose, the one asked for, else the paper's, else naive
    /// Bayes.
    ///
    /// # Errors
    /// None that [`SelectOptions::with_settings`] has not found.
    pub fn final_training(&self) -> Result<TrainOptions> {
        let takes = self.method.takes;
        let is_asked_for = takes.models.is_empty() && self.model.is_some();
        match takes.classifier.filter(|_| !is_asked_for) {
            Some(model) => {
                let names = TrainOptions::setting_names(model);
                let given = self.given.iter().map(String::as_str);
                let given = given.filter(|text| names.contains(&name_of(text)));
                TrainOptions::new(model).with_settings(given)
            }
            None => Ok(self.training.clone()),
        }
    }

    /// How cells become codes.
    pub fn coding(&self) -> CodingOptions {
        self.coding
    }

    /// The folds that were given.
    pub fn folds(&self) -> Option<&Folds> {
        self.folds.as_ref()
    }

    /// The same for some of the rows, as a part of a larger run: with their folds, without
    /// a checkpoint.
    ///
    /// # Errors
    /// Fewer than two folds left.
    pub fn of_rows(&self, rows: &[u32]) -> Result<Self> {
        let folds = self.folds.as_ref().map(|folds| folds.take(rows));
        Ok(SelectOptions {
            folds: folds.transpose()?,
            checkpoint: None,
            ..self.clone()
        })
    }

    /// Every setting with its value: the method's, its search's, its model's.
    pub fn all_settings(&self) -> Vec<(&'static str, String)> {
        let has_effect = |name| self.divided_by().is_none() || !OF_FOLDS.contains(&name);
        let own = self.settings.iter().filter(|(name, _)| has_effect(*name));
        let mut all: Vec<_> = own.map(|(name, value)| (name, value.to_owned())).collect();
        let of_model = self.model_settings().into_iter();
        all.extend(of_model.filter_map(|name| Some((name, self.training.value_of(name)?))));
        all
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
    /// let backward = options.with_search(Search::named("backward")?)?;
    /// assert_eq!(backward.bytes_of_pairs(10_000), 1_600_000_000);
    /// # Ok::<(), bayesieve::Error>(())
    /// ```
    pub fn bytes_of_pairs(&self, n_features: usize) -> u64 {
        let takes = self.method.takes;
        let keeps_all = self.search().is_some_and(Search::begins_large);
        if !keeps_all || takes.accuracy {
            return 0;
        }
        // Information without and with the class for a classifier, one number else.
        let bytes_of_pair = if takes.models.is_empty() { 8 } else { 16 };
        (n_features as u64)
            .saturating_pow(2)
            .saturating_mul(bytes_of_pair)
    }

    /// The settings of the search.
    pub(super) fn search_options(&self) -> Result<SearchOptions> {
        if self.search().is_some_and(Search::draws) {
            SearchOptions::from_settings(&self.settings)
        } else {
            Ok(SearchOptions::default())
        }
    }

    /// Whether numbers without bins may be among the features.
    pub(super) fn takes_numbers(&self) -> bool {
        let takes = self.method.takes;
        let needs_bins = |kind: ModelKind| kind.model().numbers == NumberUse::Binned;
        takes.numbers && !(takes.accuracy && self.model().is_some_and(needs_bins))
    }

    /// Whether accuracy is estimated over folds.
    pub(super) fn is_cross_validated(&self) -> bool {
        let is_chosen = matches!(self.settings.get("estimate"), None | Some("cv"));
        self.settings.has("cv") && is_chosen
    }

    /// Names of the settings of the model, where the method trains it.
    fn model_settings(&self) -> Vec<&'static str> {
        if self.method.takes.accuracy {
            TrainOptions::setting_names(self.training.model)
        } else {
            Vec::new()
        }
    }

    /// Everything given, checked together.
    fn checked(mut self) -> Result<Self> {
        let model = self.model().or(self.model);
        self.training = TrainOptions::new(model.unwrap_or(ModelKind::NaiveBayes));
        let level = self.method.takes.tree_level;
        if let Some(level) = level.filter(|_| model == Some(ModelKind::Id3)) {
            self.training.level = level;
        }
        let mut known: Vec<Setting> = self.method.settings.to_vec();
        known.extend(self.search().map_or(&[][..], Search::settings));
        let given: Vec<&str> = self.given.iter().map(String::as_str).collect();
        self.check_names(&known, &given)?;
        let of_model = self.model_settings();
        let is_of_model = |text: &&str| of_model.contains(&name_of(text));
        let (of_model, own): (Vec<&str>, Vec<&str>) = given.into_iter().partition(is_of_model);
        self.settings = Settings::parse(&known, own)?;
        self.training = self.training.with_settings(of_model)?;
        self.check_missing()?;
        self.check_division()?;
        if self.folds.is_some() {
            self.check_folds()?;
        }
        Ok(self)
    }

    /// Refuses names of settings that neither the method nor its search nor its model has.
    fn check_names(&self, known: &[Setting], given: &[&str]) -> Result<()> {
        let mut names: Vec<&str> = known.iter().map(|setting| setting.name).collect();
        names.extend(self.model_settings());
        let is_unknown = |text: &&&str| text.contains('=') && !names.contains(&name_of(text));
        let Some(text) = given.iter().find(is_unknown) else {
            return Ok(());
        };
        let name = name_of(text);
        let parts = [
            self.search().map(Search::name),
            self.model().map(ModelKind::name),
        ];
        let parts: Vec<&str> = parts.into_iter().flatten().collect();
        let with = match parts.join(" and ").as_str() {
            "" => String::new(),
            parts => format!(" with {parts}"),
        };
        let message = format!("{}{with} has no setting {}", self.method.name, quoted(name));
        let near = nearest(name, names.iter().copied());
        let near = near.map_or(String::new(), |near| {
            format!("Did you mean {}? ", quoted(near))
        });
        Err(Error::usage(message).with_hint(if names.is_empty() {
            "It takes none.".to_owned()
        } else {
            format!("{near}It takes {}.", names.join(", "))
        }))
    }

    /// Refuses a number of folds or runs where something else divides the rows.
    fn check_division(&self) -> Result<()> {
        let Some(why) = self.divided_by() else {
            return Ok(());
        };
        let mut given = self.settings.given().iter();
        match given.find(|name| OF_FOLDS.contains(name)) {
            Some(name) => Err(Error::usage(format!(
                "{setting} has no effect with {why}",
                setting = setting(name)
            ))
            .with_hint("Leave one of them out.")),
            None => Ok(()),
        }
    }

    /// What divides the rows, where they are not divided into drawn folds.
    fn divided_by(&self) -> Option<String> {
        match self.settings.get("estimate") {
            _ if self.folds.is_some() => Some(parameter("folds").to_string()),
            None | Some("cv") => None,
            Some(how) => Some(format!("estimate={how}")),
        }
    }

    fn check_missing(&self) -> Result<()> {
        let k = self.settings.integer("k").unwrap_or(0);
        let is_wide = self.method.name == "koller-sahami" && k > 1;
        let is_taken = self.method.takes.available && !is_wide;
        if self.coding.missing == MissingPolicy::Available && !is_taken {
            let name = self.method.name;
            return Err(Error::usage(format!(
                "{missing} does not work with {name}",
                missing = parameter("missing").is("available")
            ))
            .with_hint("It needs whole rows: use value or drop."));
        }
        Ok(())
    }
}

/// The name in `name=value`.
fn name_of(text: &str) -> &str {
    text.split_once('=').map_or(text, |(name, _)| name).trim()
}

/// `a, b or c`.
fn either(names: impl Iterator<Item = &'static str>) -> String {
    let names: Vec<&str> = names.collect();
    match names.split_last() {
        Some((last, rest)) if !rest.is_empty() => format!("{} or {last}", rest.join(", ")),
        _ => names.concat(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn options(method: &str) -> SelectOptions {
        SelectOptions::new(Method::named(method).unwrap()).unwrap()
    }

    #[test]
    fn settings_of_a_search_come_with_the_search() {
        let genetic = options("mdl-fs")
            .with_search(Search::named("genetic").unwrap())
            .unwrap();
        let given = genetic.with_settings(["generations=3", "auxiliary=empty"]);
        let given = given.unwrap();
        assert_eq!(given.search_options().unwrap().generations, 3);
        assert_eq!(given.all_settings()[0], ("auxiliary", "empty".to_owned()));
        // Forward has no generations: whichever comes last is refused.
        let error = given.with_search(Search::FORWARD).unwrap_err().to_string();
        assert_eq!(
            error,
            "mdl-fs with forward and tan has no setting \"generations\". It takes auxiliary, naming."
        );
        assert!(options("mdl-fs").with_settings(["generations=3"]).is_err());
    }

    #[test]
    fn a_model_without_a_score_names_those_that_have_one() {
        let error = options("mdl-fs").with_model(ModelKind::K2).unwrap_err();
        assert_eq!(
            error.to_string(),
            "mdl-fs has no score for k2. Use nb or tan."
        );
        // Where no classifier is scored, it is the one to be trained afterwards.
        let mrmr = options("mrmr").with_model(ModelKind::K2).unwrap();
        assert_eq!(mrmr.model(), None);
        assert_eq!(mrmr.final_training().unwrap().model, ModelKind::K2);
    }

    #[test]
    fn settings_of_folds_that_nobody_draws_are_refused() {
        let error = options("wrapper").with_settings(["estimate=train", "cv=5"]);
        let error = error.unwrap_err().to_string();
        assert_eq!(
            error,
            "cv has no effect with estimate=train. Leave one of them out."
        );
        let folds = Folds::from_numbers(&[1, 2, 1, 2]).unwrap();
        let given = options("wrapper").with_settings(["repeat=3"]).unwrap();
        assert!(given.with_folds(folds.clone()).is_err());
        let given = options("wrapper").with_folds(folds).unwrap();
        assert!(given.all_settings().iter().all(|(name, _)| *name != "cv"));
    }

    #[test]
    fn settings_without_a_value_or_given_twice_are_refused() {
        let error = |given: &[&str]| {
            let given = options("mdl-fs").with_settings(given.iter().copied());
            given.unwrap_err().to_string()
        };
        assert!(error(&["auxiliary"]).contains("name=value"));
        assert!(error(&["auxiliary=tree", "auxiliary=tree"]).contains("twice"));
        assert!(error(&["auxilary=tree"]).contains("Did you mean \"auxiliary\"?"));
    }
}

//! What is compared: a selection, and the model that is trained on what it keeps.

use std::fmt;
use std::path::PathBuf;

use super::auto::{Auto, AutoOptions};
use super::trial::Chooser;
use crate::classify::{ModelKind, TrainOptions};
use crate::data::{CodingOptions, unknown_name};
use crate::select::{Method, SelectOptions};
use crate::separation::SeparationOptions;
use crate::{Error, Result, quoted, setting};

/// A selection and the training on what it keeps, as one procedure that can be named.
///
/// The name is `METHOD[:COUNT]/MODEL[,name=value…]`: a count for methods that rank, settings
/// of the method, of its search (`search=floating` is one of them) and of the model. A method
/// that scores the model chooses by it; others choose as they always do. `auto` chooses method
/// and model by folds of its own ([`Auto`](super::Auto)), `auto/MODEL` the method.
///
/// # Example
/// ```
/// use bayesieve::classify::ModelKind;
/// use bayesieve::evaluate::Pipeline;
///
/// let pipeline = Pipeline::named("mrmr:10/tan,alpha=0.5")?;
/// assert_eq!((pipeline.method(), pipeline.model()), ("mrmr", Some(ModelKind::Tan)));
/// let error = Pipeline::named("mrmr/tam").unwrap_err();
/// assert!(error.to_string().contains("\"tan\""));
/// # Ok::<(), bayesieve::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct Pipeline {
    name: String,
    chooser: Chooser,
    /// The model to train, unless the chooser chooses that, too.
    training: Option<TrainOptions>,
}

impl Pipeline {
    /// Reads a name.
    ///
    /// # Errors
    /// A method, model or setting that does not exist, a value out of range, or a count for
    /// a method that does not rank.
    pub fn named(text: &str) -> Result<Self> {
        Pipeline::with_settings(text, &[])
    }

    /// As [`Pipeline::named`], with settings that hold unless the name has its own, as far as
    /// the pipeline takes them.
    ///
    /// # Errors
    /// As [`Pipeline::named`].
    pub fn with_settings(text: &str, common: &[&str]) -> Result<Self> {
        let text = text.trim();
        let in_name = |error: Error| error.about(&format!("pipeline {}", quoted(text)));
        let pipeline = match text.split_once('/') {
            _ if text == Auto::NAME => Ok(Pipeline::auto(text, None)),
            Some((Auto::NAME, model)) => {
                model.parse().map(|model| Pipeline::auto(text, Some(model)))
            }
            _ => PipelineParts::new(text).and_then(|parts| parts.pipeline(text, common)),
        };
        pipeline.map_err(in_name)
    }

    fn auto(name: &str, model: Option<ModelKind>) -> Self {
        Pipeline {
            name: name.to_owned(),
            chooser: Chooser::Auto(AutoOptions {
                model,
                ..AutoOptions::default()
            }),
            training: None,
        }
    }

    /// Whether the method, its search or its model has a setting of this name.
    pub fn takes_setting(&self, name: &str) -> bool {
        let of_model = self.training.as_ref();
        let of_model = of_model.map_or_else(Vec::new, |training| {
            TrainOptions::setting_names(training.model)
        });
        of_model.contains(&name) || self.selection().is_some_and(|one| one.has_setting(name))
    }

    /// With how cells become codes, on the training rows of every split.
    ///
    /// # Errors
    /// Gaps left open where the method needs whole rows.
    pub fn with_coding(mut self, coding: CodingOptions) -> Result<Self> {
        self.chooser = match self.chooser {
            Chooser::Method(options) => Chooser::Method(Box::new(options.with_coding(coding)?)),
            Chooser::Auto(options) => Chooser::Auto(AutoOptions { coding, ..options }),
        };
        Ok(self)
    }

    /// With another name to show.
    #[must_use]
    pub fn with_name(mut self, name: impl Into<String>) -> Self {
        self.name = name.into();
        self
    }

    /// With another seed of methods that draw.
    #[must_use]
    pub fn with_seed(mut self, seed: u64) -> Self {
        match &mut self.chooser {
            Chooser::Method(options) => options.seed = seed,
            Chooser::Auto(options) => options.seed = seed,
        }
        self
    }

    /// With features that must stay in.
    #[must_use]
    pub fn with_keep(mut self, keep: &[String]) -> Self {
        match &mut self.chooser {
            Chooser::Method(options) => options.keep = keep.to_vec(),
            Chooser::Auto(options) => options.keep = keep.to_vec(),
        }
        self
    }

    /// Features that must stay in.
    pub fn keep(&self) -> &[String] {
        match &self.chooser {
            Chooser::Method(options) => &options.keep,
            Chooser::Auto(options) => &options.keep,
        }
    }

    /// Files that its settings name.
    pub fn files(&self) -> Vec<PathBuf> {
        let of_method = self.selection().and_then(|options| {
            let blocks = SeparationOptions::from_settings(options.settings()).ok()?;
            blocks.file().map(PathBuf::from)
        });
        let of_model = self.training().and_then(|training| training.block.file());
        of_method
            .into_iter()
            .chain(of_model.map(PathBuf::from))
            .collect()
    }

    /// Its name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The method that selects.
    pub fn method(&self) -> &'static str {
        self.selection()
            .map_or(Auto::NAME, |options| options.method().name)
    }

    /// The model that is trained; nothing where `auto` chooses it, too.
    pub fn model(&self) -> Option<ModelKind> {
        self.training.as_ref().map(|training| training.model)
    }

    /// The name of the model, or `auto` where the data choose it.
    pub fn model_name(&self) -> &'static str {
        let of_auto = match &self.chooser {
            Chooser::Auto(options) => options.model,
            Chooser::Method(_) => None,
        };
        self.model().or(of_auto).map_or(Auto::NAME, ModelKind::name)
    }

    /// How features are chosen; nothing for `auto`.
    pub fn selection(&self) -> Option<&SelectOptions> {
        match &self.chooser {
            Chooser::Method(options) => Some(options),
            Chooser::Auto(_) => None,
        }
    }

    /// How the model is trained; nothing where `auto` chooses it.
    pub fn training(&self) -> Option<&TrainOptions> {
        self.training.as_ref()
    }

    pub(super) fn chooser(&self) -> &Chooser {
        &self.chooser
    }

    /// How long a run takes against one of the fastest, very roughly.
    pub(super) fn weight(&self) -> u64 {
        match &self.chooser {
            // Methods that train models for every set they look at take far longer.
            Chooser::Method(options) if options.method().takes.accuracy => 30,
            Chooser::Method(_) => 1,
            Chooser::Auto(_) => 800,
        }
    }
}

impl fmt::Display for Pipeline {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)
    }
}

/// The parts of a name.
struct PipelineParts<'t> {
    method: &'static Method,
    count: Option<usize>,
    model: Option<ModelKind>,
    settings: Vec<&'t str>,
}

impl<'t> PipelineParts<'t> {
    fn new(text: &'t str) -> Result<Self> {
        let mut parts = text.split(',').map(str::trim);
        let head = parts.next().unwrap_or_default();
        let (chooser, model) = match head.split_once('/') {
            Some((chooser, model)) => (chooser.trim(), Some(model.trim().parse()?)),
            None => (head, None),
        };
        let (method, count) = match chooser.split_once(':') {
            Some((method, count)) => {
                let number = count.trim().parse().map_err(|_| {
                    Error::usage(format!("{} is no number of features", quoted(count)))
                        .with_hint("Write METHOD:COUNT/MODEL, as in mrmr:10/nb.")
                });
                (method.trim(), Some(number?))
            }
            None => (chooser, None),
        };
        Ok(PipelineParts {
            method: Method::named(method)?,
            count,
            model,
            settings: parts.collect(),
        })
    }

    fn pipeline(self, name: &str, common: &[&str]) -> Result<Pipeline> {
        let scored = self.method.takes.models;
        let mut selection = SelectOptions::new(self.method)?;
        if let Some(model) = self.model {
            // A method that has no score for the model chooses by its own.
            if scored.is_empty() || scored.contains(&model) {
                selection = selection.with_model(model)?;
            }
        }
        if let Some(search) = self.settings.iter().find_map(|s| s.strip_prefix("search=")) {
            selection = selection.with_search(search.parse()?)?;
        }
        let own = self.settings.iter().filter(|s| !s.starts_with("search="));
        let own: Vec<&str> = own.copied().collect();
        let model = match self.model {
            Some(model) => model,
            None => selection.final_training()?.model,
        };
        let takes = |text: &&str| {
            let of_model = TrainOptions::setting_names(model).contains(&name_of(text));
            (of_model, selection.has_setting(name_of(text)))
        };
        if let Some(stranger) = own.iter().find(|text| takes(text) == (false, false)) {
            let known = selection.setting_names().into_iter();
            let known = known.chain(TrainOptions::setting_names(model));
            let what = format!("setting of {} or {model}", self.method.name);
            return Err(unknown_name(&what, name_of(stranger), known));
        }
        let is_own = |text: &&str| own.iter().any(|own| name_of(own) == name_of(text));
        let common = common.iter().filter(|text| !is_own(text)).copied();
        let all: Vec<&str> = own.iter().copied().chain(common).collect();
        let training = all.iter().filter(|text| takes(text).0).copied();
        let training = TrainOptions::new(model).with_settings(training)?;
        let choosing: Vec<&str> = all.iter().filter(|text| takes(text).1).copied().collect();
        selection = selection.with_settings(choosing)?;
        if let Some(count) = self.count {
            selection = selection.with_count(count)?;
        }
        // The level of a paper's trees holds for what is trained as for what chose.
        let is_same = selection.model() == Some(model) && self.method.takes.accuracy;
        Ok(Pipeline {
            name: name.to_owned(),
            training: Some(if is_same {
                selection.training().clone()
            } else {
                training
            }),
            chooser: Chooser::Method(Box::new(selection)),
        })
    }
}

/// What stands before the sign.
fn name_of(setting: &str) -> &str {
    setting.split_once('=').map_or(setting, |(name, _)| name)
}

/// What to compare, each once: pipelines by name, with settings for all that have them, the same
/// coding, and features that must stay in.
///
/// # Errors
/// A name that is none or stands twice, a setting that none of them has.
pub fn pipelines(
    names: &[String],
    settings: &[String],
    coding: CodingOptions,
    keep: &[String],
) -> Result<Vec<Pipeline>> {
    let settings: Vec<&str> = settings.iter().map(String::as_str).collect();
    if let Some(text) = settings.iter().find(|text| !text.contains('=')) {
        return Err(Error::usage(format!("{} has no value", setting(text)))
            .with_hint(format!("Write {}.", setting("name").is("value"))));
    }
    let mut pipelines: Vec<Pipeline> = Vec::new();
    for text in names {
        let pipeline = Pipeline::with_settings(text, &settings)?
            .with_coding(coding)?
            .with_keep(keep);
        let mut known = pipelines.iter();
        if known.any(|known| known.name() == pipeline.name()) {
            let twice = format!("the pipeline {} is given twice", quoted(text));
            return Err(Error::usage(twice).with_hint("Give it once."));
        }
        pipelines.push(pipeline);
    }
    for text in settings {
        let name = text.split_once('=').map_or(text, |(name, _)| name);
        if !pipelines.iter().any(|one| one.takes_setting(name)) {
            let message = format!("no pipeline has a setting {}", quoted(name));
            return Err(Error::usage(message)
                .with_hint("bayesieve methods NAME lists the settings of a method or a model."));
        }
    }
    Ok(pipelines)
}

/// All pairs of some methods and models, as pipelines' names: by method, then model.
///
/// # Example
/// ```
/// use bayesieve::evaluate::pipeline_names;
///
/// let names = pipeline_names(&["all", "mrmr:5"], &["nb", "tan"]);
/// assert_eq!(names, ["all/nb", "all/tan", "mrmr:5/nb", "mrmr:5/tan"]);
/// ```
pub fn pipeline_names<T: fmt::Display>(methods: &[T], models: &[T]) -> Vec<String> {
    let pairs = methods
        .iter()
        .flat_map(|method| models.iter().map(move |model| format!("{method}/{model}")));
    pairs.collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ErrorKind;
    use crate::network::Smoothing;
    use crate::search::Search;

    fn named(text: &str) -> Pipeline {
        Pipeline::named(text).unwrap()
    }

    #[test]
    fn the_model_chooses_where_it_is_scored_and_is_trained_in_any_case() {
        let scored = named("mdl-fs/nb");
        assert_eq!(
            scored.selection().unwrap().model(),
            Some(ModelKind::NaiveBayes)
        );
        assert_eq!(scored.model(), Some(ModelKind::NaiveBayes));
        let other = named("mdl-fs/id3");
        assert_eq!(other.selection().unwrap().model(), Some(ModelKind::Tan));
        assert_eq!(other.model(), Some(ModelKind::Id3));
        assert_eq!(named("cfs/tan").model(), Some(ModelKind::Tan));
        assert_eq!(named("separation").model(), Some(ModelKind::Block));
    }

    #[test]
    fn settings_go_where_they_belong() {
        let pipeline = named("mrmr:3/nb,alpha=0.5");
        assert_eq!(pipeline.selection().unwrap().count, Some(3));
        assert_eq!(
            pipeline.training().unwrap().smoothing,
            Smoothing::Laplace(0.5)
        );
        let walk = named("mdl-fs/tan, search=backward, auxiliary=empty");
        assert_eq!(
            walk.selection().unwrap().search(),
            Some(Search::named("backward").unwrap())
        );
        assert_eq!(
            walk.selection()
                .unwrap()
                .settings()
                .text("auxiliary")
                .unwrap(),
            "empty"
        );
        let both = named("wrapper/nb,alpha=2");
        assert_eq!(both.training().unwrap().smoothing, Smoothing::Laplace(2.0));
        assert_eq!(
            both.selection().unwrap().training().smoothing,
            Smoothing::Laplace(2.0)
        );
    }

    #[test]
    fn common_settings_hold_unless_the_name_has_its_own() {
        let of = |text| Pipeline::with_settings(text, &["alpha=3", "gamma=0.1"]).unwrap();
        assert_eq!(
            of("all/nb").training().unwrap().smoothing,
            Smoothing::Laplace(3.0)
        );
        let own = of("koller-sahami/nb,alpha=1");
        assert_eq!(own.training().unwrap().smoothing, Smoothing::Laplace(1.0));
        assert_eq!(
            own.selection().unwrap().settings().number("gamma").unwrap(),
            0.1
        );
        assert!(own.takes_setting("gamma") && !of("all/nb").takes_setting("gamma"));
    }

    #[test]
    fn fss_ebna_trains_trees_by_the_level_it_chose_by() {
        let pipeline = named("fss-ebna/id3");
        assert_eq!(
            pipeline.training().unwrap().level,
            pipeline.selection().unwrap().training().level
        );
        assert_ne!(
            pipeline.training().unwrap().level,
            TrainOptions::new(ModelKind::Id3).level
        );
    }

    #[test]
    fn auto_chooses_the_model_unless_it_is_named() {
        assert_eq!(
            (named("auto").method(), named("auto").model()),
            ("auto", None)
        );
        assert_eq!(
            (named("auto/id3").model_name(), named("auto").model_name()),
            ("id3", "auto")
        );
        assert!(Pipeline::named("auto/tam").is_err() && Pipeline::named("auto:3").is_err());
    }

    #[test]
    fn slips_name_the_pipeline_and_the_nearest_word() {
        for (text, word) in [
            ("mdl-sf/tan", "mdl-fs"),
            ("mdl-fs/tam", "tan"),
            ("mrmr:x/nb", "mrmr:10/nb"),
            ("cfs:5/nb", "cfs"),
            ("mrmr:0/nb", "count=0"),
            ("all/nb,alhpa=1", "alpha"),
            ("all/nb,alpha=-1", "alpha"),
            ("all/nb,search=forward", "all"),
            ("", "method"),
        ] {
            let error = Pipeline::named(text).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::Usage, "{text}");
            let message = error.to_string();
            assert!(message.contains(word), "{text}: {message}");
            assert!(message.contains("pipeline"), "{text}: {message}");
        }
    }
}

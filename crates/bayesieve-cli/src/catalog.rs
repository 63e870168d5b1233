//! What this version can do, in one place: `methods`, its JSON and the errors read it.
//!
//! Methods and searches describe themselves in the library; the rest is described here.

use bayesieve::classify::ModelKind;
use bayesieve::search::Search;
use bayesieve::select::{METHODS, Method, Setting};
use bayesieve::separation::MODEL_SETTINGS;

/// Taken by what works on rows that stay in their file.
pub(crate) const MEMORY: &str = "--memory";

/// Taken by what works on a file of counts.
pub(crate) const COUNTS: &str = "--counts";

/// All that is said about a thing that can be chosen by name.
pub(crate) struct Page {
    pub(crate) group: &'static str,
    pub(crate) name: &'static str,
    pub(crate) summary: &'static str,
    /// The option that takes it.
    pub(crate) option: String,
    /// What it computes; empty where the summary says it all.
    pub(crate) formula: &'static str,
    pub(crate) cost: &'static str,
    pub(crate) source: &'static str,
    pub(crate) settings: Vec<SettingText>,
    /// What else it can be told.
    pub(crate) takes: Vec<String>,
}

/// A setting, in words.
pub(crate) struct SettingText {
    pub(crate) name: &'static str,
    pub(crate) default: &'static str,
    /// The values it takes; empty where the meaning says it.
    pub(crate) range: String,
    pub(crate) meaning: &'static str,
}

/// Everything there is, in the order it is shown.
pub(crate) fn pages() -> Vec<Page> {
    let methods = METHODS.iter().map(|method| of_method(method));
    let searches = Search::all().map(of_search);
    std::iter::once(of_auto())
        .chain(methods)
        .chain(searches)
        .chain(ENTRIES.iter().map(of_entry))
        .collect()
}

/// The choice among methods, which is none itself.
fn of_auto() -> Page {
    Page {
        group: "methods",
        name: "auto",
        summary: "tries the fast methods with nb and tan on the same folds and takes the smallest \
                  set that does about as well as the best",
        option: "select --method auto (the default)".to_owned(),
        formula: "of mdl-fs, cfs, mrmr, all, mdl, koller-sahami, rpdmb, cdc-as and fss-ebna (those \
                  that are fast at the size of the data; fss-ebna with repeat=1), the fewest features within one standard \
                  error of the best accuracy over 10 folds (5 above 20,000 rows, 3 above 200,000); \
                  the accuracy to expect is corrected for the choice by bootstrap",
        cost: "one run of every candidate for every fold, and one of the chosen one on all rows",
        source: "Tsamardinos, Greasidou and Borboudakis, 2018 (the correction)",
        settings: Vec::new(),
        takes: vec![
            "--model MODEL: only this one".into(),
            "--folds FILE".into(),
            "--checkpoint FILE".into(),
            "--budget TIME".into(),
        ],
    }
}

fn of_method(method: &Method) -> Page {
    Page {
        group: "methods",
        name: method.name,
        summary: method.summary,
        option: format!("select --method {}", method.name),
        formula: method.formula,
        cost: method.cost,
        source: method.source,
        settings: texts(method.settings),
        takes: options_of(method),
    }
}

/// What a method can be told besides its settings, the default of a choice first.
fn options_of(method: &Method) -> Vec<String> {
    let takes = method.takes;
    let mut options = Vec::new();
    if !takes.models.is_empty() {
        let models: Vec<&str> = takes.models.iter().map(|model| model.name()).collect();
        options.push(format!("--model {}", models.join("|")));
    }
    if let Some(own) = takes.search {
        let others = Search::all().filter(|&other| other != own && takes.takes_search(other));
        let searches: Vec<&str> = std::iter::once(own)
            .chain(others)
            .map(Search::name)
            .collect();
        options.push(format!("--search {}", searches.join("|")));
    }
    let whose = match (takes.search.is_some(), takes.accuracy) {
        (true, true) => "settings of its search and its model",
        (true, false) => "settings of its search",
        _ => "settings of its model",
    };
    let is_cross_validated = method.settings.iter().any(|setting| setting.name == "cv");
    let flags = [
        (takes.search.is_some() || takes.accuracy, whose),
        (is_cross_validated, "--folds"),
        (takes.search.is_some() || takes.accuracy, "--checkpoint"),
        (takes.count, "--count"),
        (takes.available, "--missing available"),
        (takes.numbers, "--discretize none"),
        (takes.counts, MEMORY),
        (takes.pairs, COUNTS),
    ];
    let flags = flags.iter().filter(|(is_taken, _)| *is_taken);
    options.extend(flags.map(|&(_, option)| option.to_owned()));
    options
}

fn texts(settings: &[Setting]) -> Vec<SettingText> {
    let text = |setting: &Setting| SettingText {
        name: setting.name,
        default: setting.default,
        range: setting.kind.to_string(),
        meaning: setting.meaning,
    };
    settings.iter().map(text).collect()
}

fn of_search(search: Search) -> Page {
    Page {
        group: "searches",
        name: search.name(),
        summary: search.summary(),
        option: format!("select --search {}", search.name()),
        formula: "",
        cost: "",
        source: "",
        settings: texts(search.settings()),
        takes: Vec::new(),
    }
}

fn of_entry(entry: &Entry) -> Page {
    Page {
        group: entry.group,
        name: entry.name,
        summary: entry.summary,
        option: entry.option.to_owned(),
        formula: "",
        cost: "",
        source: entry.source,
        settings: settings_of(entry),
        takes: takes_of(entry),
    }
}

/// What a model can be told besides its settings.
fn takes_of(entry: &Entry) -> Vec<String> {
    let model: Option<ModelKind> = match entry.group {
        "models" => entry.name.parse().ok(),
        _ => None,
    };
    if model.is_some_and(|model| model.check_counts().is_ok()) {
        vec![MEMORY.to_owned(), COUNTS.to_owned()]
    } else {
        Vec::new()
    }
}

/// The settings that stand here, then those that the library describes.
fn settings_of(entry: &Entry) -> Vec<SettingText> {
    let own = entry.settings.iter();
    let own = own.map(|&(name, default, meaning)| SettingText {
        name,
        default,
        range: String::new(),
        meaning,
    });
    let described = match (entry.group, entry.name) {
        ("models", "block") => MODEL_SETTINGS,
        _ => &[],
    };
    own.chain(texts(described)).collect()
}

/// A thing that is described here.
struct Entry {
    /// What it is: models, discretizers, missing cells, generators.
    group: &'static str,
    /// How it is written.
    name: &'static str,
    /// What it does, in one sentence.
    summary: &'static str,
    /// The option that takes it.
    option: &'static str,
    /// Name, default and meaning of its settings.
    settings: &'static [SettingEntry],
    /// Where it comes from.
    source: &'static str,
}

/// Name, default and meaning of a setting.
type SettingEntry = (&'static str, &'static str, &'static str);

const SMOOTHING: SettingEntry = (
    "smoothing",
    "laplace",
    "laplace, ml (plain frequencies), dirichlet, or mixing with the marginal",
);

const ALPHA: SettingEntry = (
    "alpha",
    "1",
    "what laplace adds to every cell; the weight of dirichlet (1) and mixing (5)",
);

const PARENTS: SettingEntry = ("parents", "5", "most parents of a node");

/// Models, discretizers, missing cells, generators.
const ENTRIES: &[Entry] = &[
    Entry {
        group: "models",
        name: "nb",
        summary: "naive Bayes: features independent given the class; numbers in bins or normal",
        option: "train --model nb",
        settings: &[
            SMOOTHING,
            ALPHA,
            ("divisor", "n-1", "what variances are divided by, n-1 or n"),
        ],
        source: "Duda and Hart, 1973",
    },
    Entry {
        group: "models",
        name: "tan",
        summary: "naive Bayes with a tree over the features: each has at most one other as parent",
        option: "train --model tan",
        settings: &[SMOOTHING, ALPHA],
        source: "Friedman, Geiger and Goldszmidt, 1997",
    },
    Entry {
        group: "models",
        name: "k2",
        summary: "a network learned by K2, the class first, then the features in column order",
        option: "train --model k2",
        settings: &[SMOOTHING, ALPHA, PARENTS],
        source: "Cooper and Herskovits, 1992",
    },
    Entry {
        group: "models",
        name: "cb",
        summary: "a network learned by CB: tests of independence give an order, then K2",
        option: "train --model cb",
        settings: &[
            SMOOTHING,
            ALPHA,
            PARENTS,
            ("level", "0.05", "level of the chi-square tests"),
            (
                "stop",
                "accuracy",
                "stop when accuracy, or the score, no longer rises",
            ),
            (
                "order",
                "tests",
                "the order that K2 is given: that of the tests, or class-first",
            ),
        ],
        source: "Singh and Valtorta, 1993; Singh and Provan, 1995",
    },
    Entry {
        group: "models",
        name: "id3",
        summary: "a decision tree by gain ratio, pruned by chi-square tests while it grows",
        option: "train --model id3",
        settings: &[
            ("level", "0.01", "level of the chi-square tests"),
            (
                "cuts",
                "ratio",
                "what makes a cut of numbers the best of its feature, ratio or gain",
            ),
        ],
        source: "Quinlan, 1986",
    },
    Entry {
        group: "models",
        name: "block",
        summary: "naive Bayes over labels, with numbers that are jointly normal in blocks",
        option: "train --model block",
        settings: &[SMOOTHING, ALPHA],
        source: "Pavlenko, Hall and von Rosen, 2004",
    },
    Entry {
        group: "discretizers",
        name: "mdlp",
        summary: "cuts numbers where the cut tells more about the class than it costs to describe",
        option: "--discretize mdlp",
        settings: &[],
        source: "Fayyad and Irani, 1993",
    },
    Entry {
        group: "discretizers",
        name: "width",
        summary: "cuts the range of the numbers into bins of equal width",
        option: "--discretize width:K",
        settings: &[("K", "must be given", "number of bins, 1 to 255")],
        source: "",
    },
    Entry {
        group: "discretizers",
        name: "frequency",
        summary: "cuts so that every bin holds nearly equally many rows; equal numbers stay together",
        option: "--discretize frequency:K",
        settings: &[("K", "must be given", "number of bins, 1 to 255")],
        source: "",
    },
    Entry {
        group: "discretizers",
        name: "none",
        summary: "numbers stay numbers",
        option: "--discretize none",
        settings: &[],
        source: "",
    },
    Entry {
        group: "missing cells",
        name: "value",
        summary: "an empty cell is a value of its own, after binning a bin of its own",
        option: "--missing value",
        settings: &[],
        source: "",
    },
    Entry {
        group: "missing cells",
        name: "drop",
        summary: "rows with an empty cell are left out",
        option: "--missing drop",
        settings: &[],
        source: "Drugan and Wiering, 2010, section 6",
    },
    Entry {
        group: "missing cells",
        name: "available",
        summary: "every table counts the rows that are complete in its own columns",
        option: "--missing available",
        settings: &[],
        source: "",
    },
    Entry {
        group: "missing cells",
        name: "refuse",
        summary: "an empty cell is an error",
        option: "--missing refuse",
        settings: &[],
        source: "",
    },
    Entry {
        group: "generators",
        name: "example1",
        summary: "the worked example of the MDL-FS paper: 8 features, class C, two copies, no noise",
        option: "generate example1",
        settings: &[("rows", "32", "number of rows; the 32 rows are repeated")],
        source: "Drugan and Wiering, 2010, Example 1, rebuilt",
    },
    Entry {
        group: "generators",
        name: "led24",
        summary: "seven segments of a digit, each wrong in one row of ten, and 17 random bits",
        option: "generate led24",
        settings: &[
            ("rows", "1000", "number of rows"),
            ("seed", "1", "random numbers"),
        ],
        source: "Breiman, Friedman, Olshen and Stone, 1984",
    },
    Entry {
        group: "generators",
        name: "redundant21",
        summary: "nine numbers that decide the class by their sum, and twelve copies of three of them",
        option: "generate redundant21",
        settings: &[
            ("rows", "2500", "number of rows"),
            ("seed", "1", "random numbers"),
        ],
        source: "Inza, Larrañaga, Etxeberria and Sierra, 2000",
    },
    Entry {
        group: "generators",
        name: "waveform40",
        summary: "mixtures of two of three waves in 21 noisy numbers, and 19 numbers of noise",
        option: "generate waveform40",
        settings: &[
            ("rows", "5000", "number of rows"),
            ("seed", "1", "random numbers"),
        ],
        source: "Breiman, Friedman, Olshen and Stone, 1984",
    },
];

//! In what order every method takes the features, on every fold and on all rows.

use std::f64::consts::LN_2;
use std::sync::{Arc, OnceLock};

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::candidates::{self, AutoMethod, TableSize};
use super::{Auto, AutoOptions};
use crate::Observer;
use crate::data::split::{Folds, Rows};
use crate::data::{CodedTable, Nominal, add_column, add_nominal, class_codes, class_fingerprint};
use crate::evaluate::study::{Group, Study};
use crate::fingerprint::Fingerprint;
use crate::info::Informations;
use crate::random::seed_of_split;
use crate::score::FoldRows;
use crate::search::Limits;
use crate::select::{check_class, choose, path};
use crate::{Error, ErrorKind, Result};

/// Features that methods order on every fold, at most.
const MAX_SCREENED: usize = 1_000;

/// The order in which a method takes the features of some rows: places among the features.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct MethodPath {
    /// The best first, where the method has an order; else all that it keeps.
    pub(super) order: Vec<u32>,
    /// Why nothing came of it.
    pub(super) failure: Option<String>,
    pub(super) seconds: f64,
}

/// Methods on folds: groups are methods, units are the folds and, last, all rows.
pub(super) struct PathStudy<'a> {
    pub(super) auto: &'a Auto<'a>,
    pub(super) class: Nominal,
    pub(super) methods: Vec<AutoMethod>,
    pub(super) not_tried: Vec<String>,
    pub(super) folds: Folds,
    /// How far orders are followed.
    pub(super) max_path: usize,
    /// All rows.
    pub(super) coded: CodedTable,
    /// Every fold, coded by its training rows when it is first needed.
    parts: Vec<OnceLock<Arc<FoldRows>>>,
    data: String,
    /// Tells apart which rows share a class.
    rows: u64,
}

impl<'a> PathStudy<'a> {
    pub(super) fn new(auto: &'a Auto<'a>) -> Result<Self> {
        let options = auto.options;
        let column = &auto.table.columns()[auto.roles.class];
        let class = class_codes(column)?;
        check_class(&class, column.name())?;
        let n_rows = auto.table.n_rows();
        let folds = match &options.folds {
            Some(folds) => folds.clone(),
            None => {
                let rows = Rows::Stratified(&class.codes);
                Folds::draw(rows, candidates::n_folds(n_rows), options.seed, 0)?
            }
        };
        let size = TableSize {
            n_rows,
            n_features: auto.roles.features.len(),
        };
        let (methods, not_tried) = candidates::of_size(size, options)?;
        let mut hash = Fingerprint::new();
        let features = auto.roles.features.iter();
        features.for_each(|&place| add_column(&mut hash, &auto.table.columns()[place]));
        add_nominal(&mut hash, &class);
        hash.text(&format!("{:?}", folds.fold_of_row()));
        hash.text(&format!("{:?} {:?}", options.coding, options.keep));
        // Paths of versions with one seed for all folds are other paths.
        hash.text("a seed per fold");
        Ok(PathStudy {
            coded: CodedTable::new(auto.table, auto.roles, options.coding)?,
            parts: (0..folds.n_folds()).map(|_| OnceLock::new()).collect(),
            data: hash.to_string(),
            rows: class_fingerprint(&class.codes),
            max_path: options.count.unwrap_or_else(|| size.max_path()),
            auto,
            class,
            methods,
            not_tried,
            folds,
        })
    }

    /// A fold, coded by its training rows.
    pub(super) fn part(&self, fold: usize) -> Result<&Arc<FoldRows>> {
        if let Some(part) = self.parts[fold].get() {
            return Ok(part);
        }
        let places: Vec<usize> = (0..self.coded.features.len()).collect();
        let split = self.folds.split(fold);
        let part = FoldRows::new(&self.coded, &places, &split, self.auto.options.coding)?;
        Ok(self.parts[fold].get_or_init(|| Arc::new(part)))
    }

    /// The order of a method on coded rows.
    fn order(
        &self,
        method: &AutoMethod,
        coded: &CodedTable,
        observer: &dyn Observer,
    ) -> Result<Vec<usize>> {
        let limits = Limits::new(observer);
        match method.selection.order() {
            Some(_) => path(coded, &method.selection, self.max_path, &limits),
            None => Ok(choose(coded, &method.selection, &limits)?.kept),
        }
    }

    fn path_of(&self, group: usize, unit: usize, observer: &dyn Observer) -> Result<Vec<usize>> {
        let mut method = self.methods[group].clone();
        if unit == self.folds.n_folds() {
            return self.screened_order(&method, &self.coded, observer);
        }
        let part = self.part(unit)?;
        // Rows of one class leave nothing to choose by.
        if !part.has_classes() {
            return Ok(Vec::new());
        }
        method.selection = method.selection.of_rows(&self.folds.split(unit).train)?;
        let seed = self.auto.options.seed;
        method.selection.seed = seed_of_split(seed, self.rows, 1, unit as u32 + 1);
        self.screened_order(&method, &part.train, observer)
    }

    /// The order of a method among the features that are worth ordering.
    fn screened_order(
        &self,
        method: &AutoMethod,
        coded: &CodedTable,
        observer: &dyn Observer,
    ) -> Result<Vec<usize>> {
        let has_order = method.selection.order().is_some();
        let places = has_order.then(|| screened(coded, self.auto.options));
        let Some(places) = places.transpose()?.flatten() else {
            return self.order(method, coded, observer);
        };
        let order = self.order(method, &coded.with_features(&places), observer)?;
        Ok(order.into_iter().map(|place| places[place]).collect())
    }
}

/// The places of the features that tell most about the class, in column order, where there are
/// so many that ordering all of them on every fold would take long; what as many values tell by
/// chance is taken off (Miller, 1955).
fn screened(coded: &CodedTable, options: &AutoOptions) -> Result<Option<Vec<usize>>> {
    if coded.features.len() <= MAX_SCREENED {
        return Ok(None);
    }
    let columns = coded.features.iter().enumerate();
    let columns = columns.filter_map(|(place, feature)| Some((place, feature.coded()?)));
    let (places, columns): (Vec<usize>, Vec<&Nominal>) = columns.unzip();
    let informations = Informations::new(&columns, &coded.class)?;
    let by_chance = (coded.class.n_values() as f64 - 1.0) / (2.0 * coded.n_rows() as f64 * LN_2);
    let bits = |number: usize| {
        let n_values = columns[number].n_values().max(1) as f64;
        informations.single(number).mutual - (n_values - 1.0) * by_chance
    };
    let mut ranked: Vec<(i64, usize)> = (0..columns.len())
        .map(|number| (-(bits(number) * 1e10).round() as i64, places[number]))
        .collect();
    ranked.sort_unstable();
    let is_wanted = |place: usize| {
        let name = coded.features[place].column.name();
        options.keep.iter().any(|keep| keep == name)
    };
    let first = ranked.iter().take(MAX_SCREENED).map(|&(_, place)| place);
    let wanted = (0..coded.features.len()).filter(|&place| is_wanted(place));
    let mut kept: Vec<usize> = first.chain(wanted).collect();
    kept.sort_unstable();
    kept.dedup();
    Ok(Some(kept))
}

impl Study for PathStudy<'_> {
    type Measure = MethodPath;

    fn settings(&self) -> Map<String, Value> {
        let mut settings = Map::new();
        settings.insert("study".into(), "auto".into());
        settings.insert("seed".into(), self.auto.options.seed.into());
        settings.insert("path".into(), self.max_path.into());
        settings
    }

    fn groups(&self) -> Vec<Group> {
        let groups = self.methods.iter().map(|method| Group {
            name: format!("trying {}", method.title()),
            data: self.data.clone(),
            // The last one is all rows.
            n_units: self.folds.n_folds() + 1,
            cost: 1,
        });
        groups.collect()
    }

    fn is_possible(&self, _: usize, _: usize, path: &MethodPath) -> bool {
        let n_features = self.coded.features.len();
        path.order
            .iter()
            .all(|&place| (place as usize) < n_features)
    }

    fn measure(&self, group: usize, unit: usize, observer: &dyn Observer) -> Result<MethodPath> {
        let start = std::time::Instant::now();
        let found = self.path_of(group, unit, observer);
        if observer.is_cancelled() {
            return Err(Error::interrupted());
        }
        let mut path = match found {
            Ok(order) => MethodPath {
                order: order.into_iter().map(|place| place as u32).collect(),
                ..MethodPath::default()
            },
            // A method that cannot work on these data is out; the others go on.
            Err(error) => match error.kind() {
                ErrorKind::Internal | ErrorKind::Interrupted => return Err(error),
                _ => MethodPath {
                    failure: Some(error.to_string()),
                    ..MethodPath::default()
                },
            },
        };
        path.seconds = start.elapsed().as_secs_f64();
        Ok(path)
    }
}

//! How often shuffled classes do as well: whether a selection could be chance.
//!
//! The class column is shuffled and everything learned anew, cut points included: they are chosen
//! by the class too. What is compared is what the set is better by than the start of the search,
//! in the method's own score; for methods without a score of sets (rankers, boundaries), what the
//! kept features tell about the class one by one.
//! Cost: a selection per shuffle, without its reasons.
//!
//! Ojala, M. and Garriga, G. (2010). Permutation tests for studying classifier performance.
//! Journal of Machine Learning Research 11, 1833-1863.

use std::sync::atomic::{AtomicU64, Ordering};

use rayon::prelude::*;

use crate::data::{CodedTable, Roles, Table};
use crate::random::{Purpose, seed_of, shuffle, stream};
use crate::search::Limits;
use crate::select::{Chosen, PermutationTest, SelectOptions, Selection, choose};
use crate::{Error, ErrorKind, Hushed, Observer, Result};

/// Merits nearer than this are equal.
const ROUNDING: f64 = 1e-9;

/// A method and the rows to try it on with shuffled classes.
///
/// # Example
/// ```
/// use bayesieve::Silent;
/// use bayesieve::data::{Generator, RoleOptions, Roles};
/// use bayesieve::evaluate::Permutations;
/// use bayesieve::select::{Method, SelectOptions};
///
/// let table = Generator::Example1.generate(320, 1)?;
/// let roles = Roles::resolve(&table, &RoleOptions::default())?;
/// let options = SelectOptions::new(Method::named("mdl-fs")?)?;
/// let permutations =
///     Permutations { table: &table, roles: &roles, options: &options, n_shuffles: 19 };
/// let test = permutations.test(&Silent)?;
/// // A1, A2 and A4 decide the class: no shuffle comes near.
/// assert_eq!(test.n_as_good, 0);
/// assert_eq!(test.p(), 1.0 / 20.0);
/// # Ok::<(), bayesieve::Error>(())
/// ```
#[derive(Debug, Clone, Copy)]
pub struct Permutations<'a> {
    /// The rows that the selection used, every one with its class.
    pub table: &'a Table,
    /// The class and the candidates.
    pub roles: &'a Roles,
    /// How features are chosen.
    pub options: &'a SelectOptions,
    /// How often the classes are shuffled.
    pub n_shuffles: usize,
}

impl Permutations<'_> {
    /// Puts the test into the selection that it is about; where there can be none, the selection
    /// says why.
    ///
    /// # Errors
    /// None but defects.
    pub fn add_to(&self, selection: &mut Selection, observer: &dyn Observer) -> Result<()> {
        let tested = if selection.stop.is_early() {
            Err(Error::interrupted())
        } else {
            self.test(observer)
        };
        let why_not = match tested {
            Ok(test) => {
                selection.permutations = Some(test);
                return Ok(());
            }
            Err(error) => match error.kind() {
                ErrorKind::Internal => return Err(error),
                ErrorKind::Interrupted => "the run was over before".to_owned(),
                _ => format!("with shuffled classes, {error}"),
            },
        };
        let warning = format!("nothing is known about shuffled classes: {why_not}");
        selection.warnings.push(warning);
        Ok(())
    }

    /// Selects with the classes as they are, and with every shuffle of them.
    ///
    /// # Errors
    /// As [`select`](crate::select::select()), and the observer cancelled.
    pub fn test(&self, observer: &dyn Observer) -> Result<PermutationTest> {
        let merit = self.chosen(self.table, self.options.seed, observer)?.merit;
        let n_done = AtomicU64::new(0);
        let tried = (0..self.n_shuffles).into_par_iter().map(|number| {
            let chosen = self.shuffled(number, observer)?;
            let n = n_done.fetch_add(1, Ordering::Relaxed) + 1;
            observer.progress("shuffling classes", n, self.n_shuffles as u64);
            Ok(chosen)
        });
        let tried: Vec<Result<Chosen>> = tried.collect();
        // In order, so that the error does not depend on the threads.
        let tried: Vec<Chosen> = tried.into_iter().collect::<Result<_>>()?;
        let needed = merit - ROUNDING * merit.abs().max(1.0);
        let n_kept: usize = tried.iter().map(|chosen| chosen.kept.len()).sum();
        Ok(PermutationTest {
            n_shuffles: self.n_shuffles,
            n_as_good: tried.iter().filter(|one| one.merit >= needed).count(),
            mean_kept: n_kept as f64 / tried.len().max(1) as f64,
        })
    }

    fn shuffled(&self, number: usize, observer: &dyn Observer) -> Result<Chosen> {
        let seed = seed_of(self.options.seed, &format!("permutation {number}"));
        let mut rows: Vec<u32> = (0..self.table.n_rows() as u32).collect();
        shuffle(&mut rows, &mut stream(seed, Purpose::Permute, 0));
        let table = self.table.with_column_in_order(self.roles.class, &rows);
        self.chosen(&table, seed, observer)
    }

    fn chosen(&self, table: &Table, seed: u64, observer: &dyn Observer) -> Result<Chosen> {
        let hushed = Hushed(observer);
        let coded = CodedTable::watched(table, self.roles, self.options.coding(), &hushed)?;
        let mut options = self.options.clone();
        options.checkpoint = None;
        options.seed = seed;
        let chosen = choose(&coded, &options, &Limits::new(&hushed))?;
        if observer.is_cancelled() {
            return Err(Error::interrupted());
        }
        Ok(chosen)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Silent;
    use crate::data::{Generator, RoleOptions};
    use crate::select::Method;

    fn test(method: &str, n_rows: usize, is_noise: bool) -> PermutationTest {
        let table = Generator::Example1.generate(n_rows, 1).unwrap();
        let mut roles = Roles::resolve(&table, &RoleOptions::default()).unwrap();
        if is_noise {
            // A5 and A7 are independent of the class.
            roles.features.retain(|place| [4, 6].contains(place));
        }
        let options = SelectOptions::new(Method::named(method).unwrap()).unwrap();
        let permutations = Permutations {
            table: &table,
            roles: &roles,
            options: &options,
            n_shuffles: 9,
        };
        permutations.test(&Silent).unwrap()
    }

    #[test]
    fn what_decides_the_class_beats_every_shuffle() {
        for method in ["mdl-fs", "mrmr", "cfs", "iamb", "koller-sahami"] {
            let found = test(method, 320, false);
            assert_eq!((found.n_shuffles, found.n_as_good), (9, 0), "{method}");
            assert_eq!(found.p(), 0.1);
        }
    }

    #[test]
    fn where_nothing_is_kept_every_shuffle_does_as_well() {
        let found = test("mdl-fs", 3200, true);
        assert_eq!((found.n_as_good, found.p()), (9, 1.0));
    }

    #[test]
    fn the_same_seed_gives_the_same_shuffles() {
        assert_eq!(test("mrmr", 64, false), test("mrmr", 64, false));
    }
}

//! What single and pair tables already tell: joint tables of up to two features.

use super::cells::CellCounts;
use super::counter::Counts;
use super::table::{Cell, CountTable};
use super::tables::{JointTable, n_combinations};
use crate::error::{Error, Result};

/// Joint tables up to this many cells are held whole.
const DENSE_CELLS: u64 = 1 << 20;

/// Counts of every feature, and of no pair or of all in the order (0,1), (0,2), …, (1,2), ….
///
/// # Example
/// ```
/// use bayesieve_counts::{CountPlan, Counter, KnownTables, PairChoice};
/// use bayesieve_counts::Codes;
///
/// let plan = CountPlan { n_classes: 2, n_values: vec![2, 2], pairs: PairChoice::All };
/// let mut counter = Counter::new(plan)?;
/// let [a, b, class] = [vec![0, 1, 1], vec![0, 0, 1], vec![0, 1, 1]].map(Codes::U8);
/// counter.observe(&[&a, &b], &class)?;
/// let counts = counter.finish();
/// // The class is node 2.
/// let joint = KnownTables::new(&counts).joint(&[vec![2, 1]], |_| unreachable!())?;
/// assert_eq!(joint[0].dense(4).as_deref(), Some(&[1, 0, 1, 1][..]));
/// # Ok::<(), bayesieve_counts::Error>(())
/// ```
#[derive(Debug, Clone, Copy)]
pub struct KnownTables<'a> {
    counts: &'a Counts,
}

impl<'a> KnownTables<'a> {
    /// Takes finished counts.
    pub fn new(counts: &'a Counts) -> Self {
        KnownTables { counts }
    }

    /// The tables of some pairs; `None` where pairs were not counted.
    ///
    /// # Errors
    /// There is no such pair: the lower feature comes first.
    pub fn pairs(&self, pairs: &[(usize, usize)]) -> Result<Option<Vec<CountTable>>> {
        let tables = pairs.iter().map(|&pair| self.pair(pair));
        let tables: Vec<Option<&CountTable>> = tables.collect::<Result<_>>()?;
        Ok(tables.into_iter().map(Option::<&_>::cloned).collect())
    }

    /// The joint tables of some sets of nodes, as [`Tables::joint`](super::Tables::joint)
    /// gives them; `others` is asked for those that these counts do not tell, all at once.
    ///
    /// # Errors
    /// There is no such node, or one stands twice in a set; those of `others`.
    pub fn joint(
        &self,
        sets: &[Vec<usize>],
        others: impl FnOnce(&[Vec<usize>]) -> Result<Vec<JointTable>>,
    ) -> Result<Vec<JointTable>> {
        let known = sets.iter().map(|set| self.joint_of(set));
        let known: Vec<Option<JointTable>> = known.collect::<Result<_>>()?;
        let both = sets.iter().zip(&known);
        let unknown: Vec<Vec<usize>> = both
            .filter(|(_, table)| table.is_none())
            .map(|(set, _)| set.clone())
            .collect();
        let mut others = if unknown.is_empty() {
            Vec::new()
        } else {
            others(&unknown)?
        }
        .into_iter();
        let tables = known
            .into_iter()
            .map(|table| table.or_else(|| others.next()));
        let tables: Option<Vec<JointTable>> = tables.collect();
        tables.ok_or_else(|| Error::internal("fewer tables than were asked for"))
    }

    fn n_features(&self) -> usize {
        self.counts.singles.len()
    }

    fn n_values(&self, node: usize) -> usize {
        match self.counts.singles.get(node) {
            Some(single) => single.shape().n_a,
            None => self.counts.class_counts.len(),
        }
    }

    fn pair(&self, (a, b): (usize, usize)) -> Result<Option<&'a CountTable>> {
        let n = self.n_features();
        if a >= b || b >= n {
            return Err(Error::internal(format!(
                "the pair ({a}, {b}) of {n} features"
            )));
        }
        let place = a * n - a * (a + 1) / 2 + (b - a - 1);
        Ok(self.counts.pairs.get(place))
    }

    /// The table of some nodes, by adding up cells of the smallest table that has them all.
    fn joint_of(&self, set: &[usize]) -> Result<Option<JointTable>> {
        let class = self.n_features();
        let mut features: Vec<usize> = set.iter().copied().filter(|&node| node < class).collect();
        features.sort_unstable();
        let is_twice = features.windows(2).any(|pair| pair[0] == pair[1]);
        let n_class = set.iter().filter(|&&node| node == class).count();
        if is_twice || n_class > 1 || features.len() + n_class != set.len() || set.is_empty() {
            return Err(Error::internal(format!(
                "a table of the nodes {set:?} of {}",
                class + 1
            )));
        }
        let mut joint = JointCells::new(set, |node| self.n_values(node));
        match features[..] {
            [] => {
                let classes = self.counts.class_counts.iter().enumerate();
                classes.for_each(|(code, &n)| joint.add(|_| code, n));
            }
            [a] => self.counts.singles[a].for_each(|cell, n| {
                let Cell { class: code, a, .. } = cell;
                joint.add(|node| if node == class { code } else { a }, n);
            }),
            [first, second] => {
                let Some(pair) = self.pair((first, second))? else {
                    return Ok(None);
                };
                pair.for_each(|cell, n| {
                    let value = |node| match node {
                        _ if node == class => cell.class,
                        _ if node == first => cell.a,
                        _ => cell.b,
                    };
                    joint.add(value, n);
                });
            }
            _ => return Ok(None),
        }
        joint.finish().map(Some)
    }
}

/// Cells of a joint table as they come.
struct JointCells<'a> {
    set: &'a [usize],
    n_values: Vec<usize>,
    cells: CellCounts,
}

impl<'a> JointCells<'a> {
    fn new(set: &'a [usize], n_values: impl Fn(usize) -> usize) -> Self {
        let n_values: Vec<usize> = set.iter().map(|&node| n_values(node)).collect();
        let n_cells = n_combinations(&n_values).ok();
        let n_dense = n_cells.filter(|&n_cells| n_cells <= DENSE_CELLS);
        JointCells {
            set,
            n_values,
            cells: match n_dense {
                Some(n_cells) => CellCounts::Dense(vec![0; n_cells as usize]),
                None => CellCounts::Sparse(Vec::new()),
            },
        }
    }

    fn add(&mut self, value: impl Fn(usize) -> usize, n: u64) {
        let digits = self.set.iter().zip(&self.n_values);
        let key = digits.fold(0, |key, (&node, &n_values)| {
            key * n_values as u64 + value(node) as u64
        });
        match &mut self.cells {
            CellCounts::Dense(cells) => cells[key as usize] += n,
            CellCounts::Sparse(cells) => cells.push((key, n)),
        }
    }

    fn finish(self) -> Result<JointTable> {
        match self.cells {
            CellCounts::Dense(cells) => JointTable::from_dense(&self.n_values, cells),
            CellCounts::Sparse(cells) => JointTable::from_cells(&self.n_values, cells),
        }
    }
}

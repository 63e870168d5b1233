//! The textbook versions, as plain as can be: every test counts all rows by maps.

use std::collections::BTreeMap;

use crate::boundary::{Association, PcKind, Shrinking, TestOptions};
use crate::counts::CountColumn;
use crate::network::learn::PowerRule;
use crate::stats::{DegreesOfFreedom, chi_square_tail};

/// A statistic, its degrees of freedom, and the tail.
#[derive(Debug, Clone, Copy)]
pub(super) struct Tested {
    pub(super) g: f64,
    pub(super) freedom: f64,
    pub(super) p: f64,
    pub(super) ln_p: f64,
}

/// Rows by the values of the given nodes, and of two others.
type Counts = BTreeMap<(Vec<u32>, u32, u32), f64>;

pub(super) struct Plain {
    columns: Vec<Vec<u32>>,
    n_values: Vec<usize>,
    options: TestOptions,
}

/// What was found: members, and what separates the others (`None`: too few rows).
#[derive(Debug, Default)]
pub(super) struct Found {
    pub(super) members: Vec<usize>,
    pub(super) separated: BTreeMap<usize, Option<Vec<usize>>>,
}

impl Plain {
    pub(super) fn new(columns: &[CountColumn<'_>], options: TestOptions) -> Self {
        Plain {
            columns: columns
                .iter()
                .map(|column| column.codes.iter().flatten().collect())
                .collect(),
            n_values: columns.iter().map(|column| column.n_values).collect(),
            options,
        }
    }

    fn n_rows(&self) -> usize {
        self.columns[0].len()
    }

    pub(super) fn test(&self, a: usize, b: usize, given: &[usize]) -> Option<Tested> {
        let states =
            |nodes: &[usize]| -> f64 { nodes.iter().map(|&n| self.n_values[n] as f64).product() };
        let n_cells = states(&[a, b]) * states(given);
        let is_on = self.options.power == PowerRule::FiveRowsPerCell;
        if is_on && (self.n_rows() as f64) < 5.0 * n_cells {
            return None;
        }
        let cells = self.counts(Some(a), Some(b), given);
        let of_a = self.counts(Some(a), None, given);
        let of_b = self.counts(None, Some(b), given);
        let layers = self.counts(None, None, given);
        let mut g = 0.0;
        for ((z, x, y), n) in &cells {
            let expected = of_a[&(z.clone(), *x, 0)] * of_b[&(z.clone(), 0, *y)];
            g += 2.0 * n * (n * layers[&(z.clone(), 0, 0)] / expected).ln();
        }
        let freedom: f64 = match self.options.freedom {
            DegreesOfFreedom::Nominal => {
                (self.n_values[a] as f64 - 1.0) * (self.n_values[b] as f64 - 1.0) * states(given)
            }
            DegreesOfFreedom::Adjusted => {
                let present = |counts: &Counts, layer: &Vec<u32>| {
                    let keys = counts.keys().filter(|key| key.0 == *layer);
                    keys.count() as f64 - 1.0
                };
                let layers = layers.keys().map(|key| &key.0);
                layers.map(|z| present(&of_a, z) * present(&of_b, z)).sum()
            }
        };
        let (p, ln_p) = match freedom {
            0.0 => (1.0, 0.0),
            _ => {
                let tail = chi_square_tail(g.max(0.0), freedom).unwrap();
                (tail.p, tail.ln_p)
            }
        };
        Some(Tested {
            g,
            freedom,
            p,
            ln_p,
        })
    }

    /// Rows by the values of the given nodes and of two others, 0 where one is not asked for.
    fn counts(&self, a: Option<usize>, b: Option<usize>, given: &[usize]) -> Counts {
        let mut counts = Counts::new();
        for row in 0..self.n_rows() {
            let z = given.iter().map(|&n| self.columns[n][row]).collect();
            let [x, y] = [a, b].map(|node| node.map_or(0, |node| self.columns[node][row]));
            *counts.entry((z, x, y)).or_default() += 1.0;
        }
        counts
    }

    /// Whether the first is the stronger association; neither where they are equal.
    fn is_stronger(&self, x: Tested, y: Tested) -> bool {
        let unit = 2.0 * std::f64::consts::LN_2 * self.n_rows() as f64 * 1e-10;
        let (g, h) = ((x.g / unit).round(), (y.g / unit).round());
        let (p, q) = ((x.ln_p * 1e8).round(), (y.ln_p * 1e8).round());
        if x.freedom == y.freedom {
            g > h
        } else {
            p < q || p == q && g > h
        }
    }

    fn depends(&self, tested: Tested) -> bool {
        tested.p <= self.options.alpha
    }

    pub(super) fn iamb(
        &self,
        class: usize,
        shrinking: Shrinking,
        association: Association,
    ) -> Found {
        let mut found = Found::default();
        let mut seen = vec![Vec::new()];
        loop {
            let mut best: Option<(usize, Tested)> = None;
            for x in (0..self.columns.len()).filter(|&x| x != class) {
                if found.members.contains(&x) {
                    continue;
                }
                let tested = self.test(x, class, &found.members);
                let mut given = found.members.clone();
                given.sort_unstable();
                found.separated.insert(x, tested.map(|_| given));
                let Some(tested) = tested else { continue };
                let is_better = best.is_none_or(|(_, known)| match association {
                    Association::P => self.is_stronger(tested, known),
                    Association::Information => tested.g > known.g + 1e-7,
                });
                if is_better {
                    best = Some((x, tested));
                }
            }
            let Some((x, tested)) = best else { break };
            if !self.depends(tested) {
                break;
            }
            found.members.push(x);
            if shrinking == Shrinking::EveryRound {
                self.shrink(class, &mut found);
                let mut set = found.members.clone();
                set.sort_unstable();
                if seen.contains(&set) {
                    break;
                }
                seen.push(set);
            }
        }
        self.shrink(class, &mut found);
        for member in &found.members {
            found.separated.remove(member);
        }
        found.members.sort_unstable();
        found
    }

    fn shrink(&self, class: usize, found: &mut Found) {
        let mut place = 0;
        while place < found.members.len() {
            let x = found.members[place];
            let mut rest = found.members.clone();
            rest.remove(place);
            let tested = self.test(x, class, &rest);
            if tested.is_some_and(|tested| !self.depends(tested)) {
                found.members = rest.clone();
                rest.sort_unstable();
                found.separated.insert(x, Some(rest));
                place = 0;
            } else {
                place += 1;
            }
        }
    }

    /// All sets of at most so many nodes, from small to large, in lexicographic order of the
    /// nodes' places in the list.
    fn sets(nodes: &[usize], most: usize) -> Vec<Vec<usize>> {
        let all = 0u32..1 << nodes.len();
        let mut sets: Vec<Vec<usize>> = all
            .map(|bits| (0..nodes.len()).filter(|i| bits >> i & 1 == 1).collect())
            .filter(|set: &Vec<usize>| set.len() <= most)
            .collect();
        sets.sort_by(|a, b| a.len().cmp(&b.len()).then_with(|| a.cmp(b)));
        let named = |set: Vec<usize>| set.into_iter().map(|i| nodes[i]).collect();
        sets.into_iter().map(named).collect()
    }

    /// The first of some sets that separates two nodes, and the weakest association.
    fn weakest(&self, a: usize, b: usize, sets: &[Vec<usize>]) -> Weakest {
        let mut weakest: Option<Tested> = None;
        for set in sets {
            let Some(tested) = self.test(a, b, set) else {
                continue;
            };
            if !self.depends(tested) {
                let mut set = set.clone();
                set.sort_unstable();
                return Weakest::Separated(set);
            }
            let is_weaker = weakest.is_none_or(|known| {
                let (p, q) = ((tested.ln_p * 1e8).round(), (known.ln_p * 1e8).round());
                p > q || p == q && tested.g < known.g - 1e-7
            });
            if is_weaker {
                weakest = Some(tested);
            }
        }
        Weakest::Survived(weakest)
    }

    fn links(&self, target: usize, kind: PcKind, kmax: usize) -> Found {
        let mut found = Found::default();
        let mut open = Vec::new();
        for x in (0..self.columns.len()).filter(|&x| x != target) {
            match self.test(x, target, &[]) {
                None => drop(found.separated.insert(x, None)),
                Some(tested) if !self.depends(tested) => {
                    found.separated.insert(x, Some(Vec::new()));
                }
                Some(_) => open.push(x),
            }
        }
        match kind {
            PcKind::MaxMin => self.max_min(target, kmax, &mut found, open),
            PcKind::Hiton => self.hiton(target, kmax, &mut found, open),
        }
        found
    }

    fn max_min(&self, target: usize, kmax: usize, found: &mut Found, mut open: Vec<usize>) {
        loop {
            let mut best: Option<(usize, Tested)> = None;
            for &x in &open.clone() {
                // Sets without the newest member were tried before.
                let mut sets = Self::sets(&found.members, kmax);
                if let Some(newest) = found.members.last() {
                    sets.sort_by_key(|set| set.contains(newest));
                }
                match self.weakest(x, target, &sets) {
                    Weakest::Separated(set) => {
                        found.separated.insert(x, Some(set));
                        open.retain(|&other| other != x);
                    }
                    Weakest::Survived(Some(weakest)) => {
                        let is_better = best.is_none_or(|(_, known)| {
                            let (p, q) = ((weakest.ln_p * 1e8).round(), (known.ln_p * 1e8).round());
                            p < q || p == q && weakest.g > known.g + 1e-7
                        });
                        if is_better {
                            best = Some((x, weakest));
                        }
                    }
                    Weakest::Survived(None) => unreachable!("tested alone"),
                }
            }
            let Some((x, _)) = best else { break };
            open.retain(|&other| other != x);
            found.members.push(x);
        }
        for x in found.members.clone() {
            let others: Vec<usize> = found.members.iter().copied().filter(|&y| y != x).collect();
            let weakest = self.weakest(x, target, &Self::sets(&others, kmax));
            if let Weakest::Separated(set) = weakest {
                found.separated.insert(x, Some(set));
                found.members = others;
            }
        }
    }

    fn hiton(&self, target: usize, kmax: usize, found: &mut Found, mut open: Vec<usize>) {
        while !open.is_empty() {
            let mut best: Option<(usize, Tested)> = None;
            for &x in &open {
                let tested = self.test(x, target, &[]).unwrap();
                let is_better = best.is_none_or(|(_, known)| {
                    let (p, q) = ((tested.ln_p * 1e8).round(), (known.ln_p * 1e8).round());
                    p < q || p == q && tested.g > known.g + 1e-7
                });
                if is_better {
                    best = Some((x, tested));
                }
            }
            let x = best.unwrap().0;
            open.retain(|&other| other != x);
            // The newcomer first, then the others in the order they came.
            let mut order = vec![x];
            order.extend(&found.members);
            found.members.push(x);
            for y in order {
                let others = found.members.iter().copied().filter(|&z| z != y);
                let others: Vec<usize> = others.collect();
                if !found.members.contains(&x) {
                    break;
                }
                if let Weakest::Separated(set) = self.weakest(y, target, &Self::sets(&others, kmax))
                {
                    found.separated.insert(y, Some(set));
                    found.members = others;
                }
            }
        }
    }

    /// Links from both sides, and the set that separates each other node.
    pub(super) fn pc(&self, target: usize, kind: PcKind, kmax: usize) -> Found {
        let mut found = self.links(target, kind, kmax);
        for x in found.members.clone() {
            let back = self.links(x, kind, kmax);
            if !back.members.contains(&target) {
                found.members.retain(|&member| member != x);
                found.separated.insert(x, back.separated[&target].clone());
            }
        }
        found.members.sort_unstable();
        found
    }

    /// The linked nodes, and (spouse, child).
    pub(super) fn boundary(
        &self,
        class: usize,
        kind: PcKind,
        kmax: usize,
    ) -> (Found, Vec<(usize, usize)>) {
        let found = self.pc(class, kind, kmax);
        let mut spouses = Vec::new();
        for &y in &found.members {
            for x in self.pc(y, kind, kmax).members {
                if x == class || found.members.contains(&x) {
                    continue;
                }
                let Some(set) = &found.separated[&x] else {
                    continue;
                };
                let mut given = set.clone();
                if !given.contains(&y) {
                    given.push(y);
                }
                let tested = self.test(x, class, &given);
                if tested.is_some_and(|tested| self.depends(tested)) {
                    spouses.push((x, y));
                }
            }
        }
        (found, spouses)
    }
}

enum Weakest {
    Separated(Vec<usize>),
    Survived(Option<Tested>),
}

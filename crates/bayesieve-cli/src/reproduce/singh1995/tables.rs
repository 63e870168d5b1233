//! Tables 2 to 11, ours beside the published figures.

use bayesieve::Result;
use bayesieve::stats::{Alternative, paired_t};

use super::super::comparison::{Compared, Spot};
use super::super::published::{Figure, Published};
use super::super::reproduction::{Cell, Layout, Panel};
use super::super::statement::Conclusion;
use super::conclusions::{Figures, statements};
use super::recipe::{DATA, INFORMED, METHODS, Method, OTHERS, known};

/// The level of the paper's t tests.
const LEVEL: f64 = 0.05;

/// Trials of tables 10 and 11.
const N_BESIDE_C45: usize = 20;

/// What was found, ready for tables.
pub(super) struct Results<'a> {
    paper: &'a Published,
    compared: &'a Compared,
    methods: &'a [Method],
}

impl<'a> Results<'a> {
    pub(super) fn new(paper: &'a Published, compared: &'a Compared, methods: &'a [Method]) -> Self {
        Results {
            paper,
            compared,
            methods,
        }
    }

    pub(super) fn conclusions(&self) -> Result<Vec<Conclusion>> {
        let published = Figures::published(self.paper)?;
        let mut ours = Figures::default();
        for cell in self.accuracies()? {
            if let Some(data) = cell.place.first().and_then(|(_, word)| word.as_str()) {
                ours.insert_accuracy(data, cell.method, cell.value);
            }
        }
        for cell in self.tests()?.into_iter().flatten() {
            let word = |place: usize| cell.place.get(place).and_then(|(_, word)| word.as_str());
            if let (Some(data), Some(other), "mark") = (word(0), word(1), cell.measure) {
                ours.insert_mark([data, cell.method, other], cell.value);
            }
        }
        Ok(Conclusion::pair(statements(&published), statements(&ours)))
    }

    pub(super) fn panels(&self) -> Result<Vec<Panel>> {
        let [differences, ts, marks] = self.tests()?;
        let panels = [
            (
                "tables 2 and 3: % of the test rows classified correctly",
                self.accuracies()?,
            ),
            (
                "tables 4 to 9: accuracy of the other method minus that of this one",
                differences,
            ),
            ("tables 4 to 9: t of the paired test", ts),
            (
                "tables 4 to 9: -1 where this method is significantly better, 1 where the other is",
                marks,
            ),
            (
                "tables 10 and 11: % of the test rows classified correctly, the first 20 runs",
                self.beside_c45()?,
            ),
        ];
        let panels = panels.into_iter().map(|(title, cells)| Panel {
            title: title.into(),
            layout: Layout::Compact { decimals: 2 },
            cells,
        });
        Ok(panels.filter(|panel| !panel.cells.is_empty()).collect())
    }

    /// The accuracies of all runs, in percent.
    fn values(&self, data: &str, method: &str) -> Option<Vec<f64>> {
        let pipeline = self.methods.iter().position(|known| known.name == method)?;
        let percent = |run: &bayesieve::evaluate::Run| Some(100.0 * run.accuracy);
        self.compared.values((data, pipeline), percent)
    }

    fn accuracies(&self) -> Result<Vec<Cell>> {
        let mut cells = Vec::new();
        for data in &DATA {
            for method in &METHODS {
                let Some(values) = self.values(data.name, method.name) else {
                    continue;
                };
                let found = printed(self.paper, ["2", "3"], data.name, method.published)?;
                let (table, figure) = found.map_or(("3", None), |(t, f)| (t, Some(f)));
                let spot = Spot {
                    table,
                    place: vec![("data", data.name)],
                    method: method.name,
                    measure: "accuracy",
                };
                cells.push(spot.cell_of(&values, figure)?);
            }
        }
        Ok(cells)
    }

    /// Differences, t and marks.
    fn tests(&self) -> Result<[Vec<Cell>; 3]> {
        let mut cells: [Vec<Cell>; 3] = Default::default();
        for data in &DATA {
            let pairs = INFORMED.iter().flat_map(|informed| {
                let tables = informed.tables.into_iter().zip(OTHERS);
                tables.flat_map(move |(table, others)| {
                    others
                        .iter()
                        .map(move |&other| (informed.name, table, other))
                })
            });
            for (method, table, other) in pairs {
                let values = |method| self.values(data.name, method);
                let (Some(own), Some(others)) = (values(method), values(other)) else {
                    continue;
                };
                // One run has no spread to test by.
                if own.len() < 2 {
                    continue;
                }
                let test = paired_t(&others, &own, Alternative::TwoSided)?;
                let mark = if test.p <= LEVEL {
                    test.mean.signum()
                } else {
                    0.0
                };
                let figures = [("difference", test.mean), ("t", test.t), ("mark", mark)];
                for (cells, (measure, figure)) in cells.iter_mut().zip(figures) {
                    // Equal differences have no t: their spread is 0.
                    if !figure.is_finite() {
                        continue;
                    }
                    let spot = Spot {
                        table,
                        place: vec![("data", data.name), ("against", other)],
                        method,
                        measure,
                    };
                    let against = known(other).map_or("", |other| other.published);
                    let published = self.paper.table(table)?;
                    cells.push(spot.cell(figure, published.figure(&[data.name, against], measure)));
                }
            }
        }
        Ok(cells)
    }

    fn beside_c45(&self) -> Result<Vec<Cell>> {
        let mut cells = Vec::new();
        for data in &DATA {
            for informed in &INFORMED {
                let values = self.values(data.name, informed.name);
                let Some(values) = values.filter(|values| values.len() >= N_BESIDE_C45) else {
                    continue;
                };
                let name = known(informed.name).map_or("", |method| method.published);
                let Some((table, figure)) = printed(self.paper, ["10", "11"], data.name, name)?
                else {
                    continue;
                };
                let spot = Spot {
                    table,
                    place: vec![("data", data.name)],
                    method: informed.name,
                    measure: "accuracy_of_20",
                };
                cells.push(spot.cell_of(&values[..N_BESIDE_C45], Some(figure))?);
            }
        }
        Ok(cells)
    }
}

/// The figure of a data set and a method, in whichever of two tables it is.
fn printed(
    paper: &Published,
    tables: [&'static str; 2],
    data: &str,
    method: &str,
) -> Result<Option<(&'static str, Figure)>> {
    for table in tables {
        if let Some(figure) = paper.table(table)?.figure(&[method], data) {
            return Ok(Some((table, figure)));
        }
    }
    Ok(None)
}

impl Figures {
    /// All that the paper prints.
    fn published(paper: &Published) -> Result<Self> {
        let mut figures = Figures::default();
        for data in &DATA {
            for method in &METHODS {
                let found = printed(paper, ["2", "3"], data.name, method.published)?;
                if let Some((_, figure)) = found {
                    figures.insert_accuracy(data.name, method.name, figure.value);
                }
            }
            for informed in &INFORMED {
                for (table, others) in informed.tables.into_iter().zip(OTHERS) {
                    for &other in others {
                        let against = known(other).map_or("", |other| other.published);
                        let mark = paper.table(table)?.value(&[data.name, against], "mark");
                        if let Some(mark) = mark {
                            figures.insert_mark([data.name, informed.name, other], mark);
                        }
                    }
                }
            }
        }
        Ok(figures)
    }
}

#[cfg(test)]
mod tests {
    use super::super::FIGURES;
    use super::*;

    /// All comparisons: data set, method, table, the other method.
    fn comparisons() -> Vec<(&'static str, &'static str, &'static str, &'static str)> {
        let mut all = Vec::new();
        for data in &DATA {
            for informed in &INFORMED {
                for (table, others) in informed.tables.into_iter().zip(OTHERS) {
                    all.extend(others.iter().map(|&o| (data.name, informed.name, table, o)));
                }
            }
        }
        all
    }

    #[test]
    fn differences_are_those_of_the_accuracies_and_marks_those_of_t_but_for_slips() {
        let paper = Published::read(FIGURES).unwrap();
        let name = |method| known(method).unwrap().published;
        let accuracy = |data, method| {
            let found = printed(&paper, ["2", "3"], data, name(method)).unwrap();
            found.map(|(_, figure)| figure.value)
        };
        let (mut strange, mut unmarked, mut n) = (Vec::new(), Vec::new(), 0);
        for (data, method, table, other) in comparisons() {
            let row = [data, name(other)];
            let value = |column| paper.table(table).unwrap().value(&row, column);
            let Some(difference) = value("difference") else {
                assert_eq!((data, other), ("Splice", "k2-as-le"));
                continue;
            };
            n += 1;
            let expected = accuracy(data, other).unwrap() - accuracy(data, method).unwrap();
            if (difference - expected).abs() > 0.0151 {
                strange.push((table, data, other));
            }
            // 29 degrees of freedom.
            let t = value("t").unwrap();
            let mark = if t.abs() > 2.0452 { t.signum() } else { 0.0 };
            if value("mark") != Some(mark) {
                unmarked.push((table, data, other));
            }
        }
        assert_eq!(n, 90 - 3);
        assert_eq!(
            strange,
            [("4", "Splice", "naive-as"), ("6", "Splice", "naive-all")]
        );
        assert_eq!(unmarked, [("8", "Voting", "k2-as")]);
    }

    #[test]
    fn the_published_statements_hold() {
        let paper = Published::read(FIGURES).unwrap();
        let statements = statements(&Figures::published(&paper).unwrap());
        crate::reproduce::statement::assert_hold(&statements);
    }
}

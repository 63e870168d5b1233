//! The data sets and methods of the study.

use super::super::recipe::{PaperData, Source, Step};

const fn in_file(name: &'static str, file: &'static str, steps: &'static [Step]) -> PaperData {
    PaperData {
        name,
        source: Source::File(file),
        steps,
    }
}

/// The data sets, in the order of tables 4 to 9 and by the paper's names. Empty cells are a
/// value of their own.
pub(super) const DATA: [PaperData; 6] = [
    in_file("Chess", "chess", &[]),
    in_file("Voting", "votes", &[]),
    in_file(
        "Voting1",
        "votes",
        &[Step::WithoutColumn("physician-fee-freeze")],
    ),
    // The 15 classes that most studies have.
    in_file(
        "Soybean",
        "soybean-large",
        &[Step::WithoutClasses(&[
            "diaporthe-pod-&-stem-blight",
            "cyst-nematode",
            "2-4-d-injury",
            "herbicide-injury",
        ])],
    ),
    in_file("Mushroom", "mushroom", &[]),
    // Without the rows whose letters stand for several bases.
    in_file("Splice", "splice", &[Step::Only(&["A", "C", "G", "T"])]),
];

/// A way to classify.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Method {
    pub(super) name: &'static str,
    /// As the paper writes it.
    pub(super) published: &'static str,
    pipeline: &'static str,
}

const fn method(name: &'static str, published: &'static str, pipeline: &'static str) -> Method {
    Method {
        name,
        published,
        pipeline,
    }
}

/// The methods, in the order of tables 2 and 3. The class comes first in the networks: so the
/// published accuracies can be had, and not in the order that the tests of CB give.
pub(super) const METHODS: [Method; 8] = [
    method("naive-all", "Naive-ALL", "all/nb"),
    method("naive-as", "Naive-AS", "naive-as/nb"),
    method("k2-as", "K2-AS", "k2-as/cb,order=class-first"),
    method("k2-as-le", "K2-AS<", "k2-as-le/cb,order=class-first"),
    method("cb", "CB", "all/cb,order=class-first"),
    method("cig-as", "CIG-AS", "cig-as/cb,order=class-first"),
    method("cgr-as", "CGR-AS", "cgr-as/cb,order=class-first"),
    method("cdc-as", "CDC-AS", "cdc-as/cb,order=class-first"),
];

/// A method by information, and the tables that compare it with naive Bayes and with other
/// networks.
#[derive(Debug, Clone, Copy)]
pub(super) struct Informed {
    pub(super) name: &'static str,
    pub(super) tables: [&'static str; 2],
}

pub(super) const INFORMED: [Informed; 3] = [
    Informed {
        name: "cig-as",
        tables: ["4", "7"],
    },
    Informed {
        name: "cgr-as",
        tables: ["5", "8"],
    },
    Informed {
        name: "cdc-as",
        tables: ["6", "9"],
    },
];

/// What they are compared with, by table.
pub(super) const OTHERS: [&[&str]; 2] = [&["naive-all", "naive-as"], &["k2-as", "k2-as-le", "cb"]];

impl Method {
    /// Its pipeline; with networks in the order of the tests where that is asked for.
    pub(super) fn named(&self, is_free: bool) -> String {
        if is_free {
            self.pipeline.replace(",order=class-first", "")
        } else {
            self.pipeline.to_owned()
        }
    }
}

/// A method by its name.
pub(super) fn known(name: &str) -> Option<&'static Method> {
    METHODS.iter().find(|method| method.name == name)
}

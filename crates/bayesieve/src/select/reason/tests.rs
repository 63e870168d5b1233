//! Reasons as sentences.

use super::*;

#[test]
fn estimates_are_told_as_they_are() {
    let reason = |with, redundancy| Reason::WorseByEstimate {
        measure: Measure::ACCURACY,
        with,
        without: 0.934,
        standard_error: 0.004,
        redundancy,
    };
    let known = Redundancy {
        given: vec!["rimmx".into()],
        gain_bits: 0.001,
        price_bits: 0.003,
        naming_bits: 0.0,
    };
    let worse = reason(0.931, Some(known));
    assert_eq!(
        worse.sentence(),
        "accuracy 93.10 % with it, 93.40 % without (± 0.40); with rimmx known it tells \
         0.0010 bits about the class; its table costs 0.0030"
    );
    assert_eq!(
        (worse.parts().level, worse.parts().numbers[3]),
        (Some(1), ("gain_bits", 0.001))
    );
    assert_eq!(worse.name(), "worse-by-estimate");
    let equal = reason(0.934, None);
    assert_eq!(
        equal.sentence(),
        "accuracy no better with it: 93.40 % (± 0.40)"
    );
    assert_eq!(
        (equal.parts().level, equal.parts().numbers.len()),
        (None, 3)
    );
    assert!(
        reason(0.94, None)
            .sentence()
            .starts_with("the search ended without it, although ")
    );
}

#[test]
fn estimates_by_other_measures_name_them_in_their_own_sense() {
    let sentence = |with| {
        let reason = Reason::WorseByEstimate {
            measure: "log-loss".parse().unwrap(),
            with,
            without: 0.5,
            standard_error: 0.02,
            redundancy: None,
        };
        reason.sentence()
    };
    assert_eq!(
        sentence(0.51),
        "log-loss 0.5100 with it, 0.5000 without (± 0.0200)"
    );
    assert_eq!(
        sentence(0.5),
        "log-loss no better with it: 0.5000 (± 0.0200)"
    );
    // Less is better, and by less than a standard error.
    assert_eq!(
        sentence(0.49),
        "log-loss 0.4900 with it, 0.5000 without, which may be chance (± 0.0200)"
    );
    assert!(sentence(0.4).starts_with("the search ended without it, although log-loss is 0.4000"));
}

#[test]
fn what_is_not_in_a_boundary_says_what_separates_it() {
    let absent = |absence: Absence, given: &[&str]| Reason::NotInBoundary {
        absence,
        given: given.iter().map(|&name| name.to_owned()).collect(),
    };
    let test = IndependenceTest {
        statistic: 0.62,
        degrees_of_freedom: 1.0,
        p: 0.431,
        ln_p: -0.8416,
    };
    let independent = Absence::Independent { test };
    let sentence = |absence, given: &[&str]| absent(absence, given).sentence();
    assert_eq!(
        sentence(independent, &["a", "b"]),
        "with a and b known it is independent of the class (p = 0.4310)"
    );
    assert_eq!(
        sentence(independent, &[]),
        "it is independent of the class (p = 0.4310)"
    );
    assert_eq!(absent(independent, &["a"]).parts().test, Some(&test));
    assert_eq!(absent(independent, &["a"]).parts().given, ["a"]);
    assert_eq!(
        sentence(Absence::TooFewRows, &["a", "b", "c"]),
        "there are too few rows to test it with a, b and c known"
    );
    assert_eq!(
        sentence(Absence::Score { gain: -3.2 }, &["a"]),
        "it hangs on a; linking it to the class would make the score worse by 3.2000 nats"
    );
    assert_eq!(
        sentence(Absence::Score { gain: 0.0 }, &[]),
        "linking it to the class would not make the score better"
    );
    let ruled_out = absent(Absence::Score { gain: 1.5 }, &[]);
    assert!(ruled_out.sentence().contains("better by 1.5000 nats; "));
    assert_eq!(ruled_out.parts().numbers, [("score_gain", 1.5)]);
    assert_eq!(ruled_out.name(), "not-in-boundary");
}

#[test]
fn every_reason_is_a_sentence_with_its_numbers() {
    let irrelevant = Reason::Redundant(Redundancy {
        given: Vec::new(),
        gain_bits: 0.0,
        price_bits: 3.2e-7,
        naming_bits: 0.0,
    });
    assert_eq!(
        irrelevant.sentence(),
        "it tells 0 bits about the class; its table costs 3.2e-7"
    );
    assert_eq!(irrelevant.parts().level, Some(0));
    let two = Reason::Redundant(Redundancy {
        given: vec!["a".into(), "b\n".into()],
        gain_bits: 0.5,
        price_bits: 1.25,
        naming_bits: 0.0,
    });
    // A name cannot break the line.
    assert!(
        two.sentence()
            .starts_with("with a and b\\n known it tells 0.5000 bits")
    );
    assert_eq!(two.parts().level, Some(2));
    let loss = |gain| Reason::NoGain { gain, unit: "bits" }.sentence();
    assert_eq!(
        loss(-2.5),
        "putting it in would make the score worse by 2.5000 bits"
    );
    assert!(loss(2.5).starts_with("the search ended without it"));
    assert_eq!(loss(0.0), "putting it in would not make the score better");
    let below = Reason::BelowThreshold {
        value: -0.25,
        threshold: 0.0,
    };
    assert!(below.sentence().ends_with("-0.2500, does not pass 0"));
    let chance = |value| {
        let (best, p, alpha) = (0.5, 0.0833, 0.05);
        Reason::NotSignificant {
            value,
            best,
            p,
            alpha,
        }
    };
    assert_eq!(
        chance(0.5).sentence(),
        "its value, 0.5000, could be chance: p = 0.0833, level 0.05"
    );
    assert_eq!(
        chance(0.25).sentence(),
        "its value is 0.2500; even the best one left, 0.5000, could be chance: p = 0.0833, \
         level 0.05"
    );
}

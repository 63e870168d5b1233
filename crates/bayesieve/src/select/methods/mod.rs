//! The methods, one file or folder each. A method describes itself in one `static`, and is
//! listed here.

mod all;
pub(super) mod boundaries;
mod cfs;
mod cmim;
mod fcbf;
mod fss_ebna;
mod hiton_mb;
mod iamb;
mod info_as;
mod jmi;
mod k2_as;
mod koller_sahami;
mod mdl;
pub(super) mod mrmr;
mod naive_as;
mod relief_f;
mod rpdmb;
pub(super) mod separation;
mod wrapper;

use super::method::Method;

/// Every method, in the order it is shown.
pub static METHODS: &[&Method] = &[
    &mdl::MDL_FS,
    &mdl::MDL,
    &koller_sahami::KOLLER_SAHAMI,
    &cfs::CFS,
    &mrmr::MRMR,
    &mrmr::MRMR_MIQ,
    &jmi::JMI,
    &cmim::CMIM,
    &fcbf::FCBF,
    &relief_f::RELIEF_F,
    &wrapper::WRAPPER,
    &fss_ebna::FSS_EBNA,
    &naive_as::NAIVE_AS,
    &k2_as::K2_AS,
    &k2_as::K2_AS_LE,
    &info_as::CIG_AS,
    &info_as::CGR_AS,
    &info_as::CDC_AS,
    &rpdmb::RPDMB,
    &iamb::IAMB,
    &iamb::INTER_IAMB,
    &hiton_mb::HITON_MB,
    &hiton_mb::MMMB,
    &separation::SEPARATION,
    &all::ALL,
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::setting::Settings;

    #[test]
    fn every_method_describes_itself_and_its_defaults_are_in_range() {
        for method in METHODS {
            for text in [method.name, method.summary, method.formula, method.cost] {
                assert!(!text.is_empty(), "{}", method.name);
            }
            let defaults: Vec<String> = method
                .settings
                .iter()
                .map(|setting| format!("{}={}", setting.name, setting.default))
                .collect();
            let parsed = Settings::parse(method.settings, defaults.iter().map(String::as_str));
            assert!(parsed.is_ok(), "{}", method.name);
        }
        let mut names: Vec<&str> = METHODS.iter().map(|method| method.name).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), METHODS.len());
    }
}

//! All methods by name.

use std::str::FromStr;

use super::method::{Method, Takes};
use super::methods::{
    all, cfs, cmim, fcbf, fss_ebna, hiton_mb, iamb, info_as, jmi, k2_as, koller_sahami, mdl, mrmr,
    naive_as, relief_f, rpdmb, separation, wrapper,
};
use crate::data::unknown_name;
use crate::{Error, Result};

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

impl Method {
    /// The method of a name.
    ///
    /// # Errors
    /// There is none; the nearest is suggested.
    ///
    /// # Example
    /// ```
    /// use bayesieve::select::Method;
    ///
    /// assert_eq!(Method::named("mdl-fs")?.name, "mdl-fs");
    /// let text = Method::named("mdlfs").unwrap_err().to_string();
    /// assert!(text.contains("Did you mean \"mdl-fs\"?"));
    /// # Ok::<(), bayesieve::Error>(())
    /// ```
    pub fn named(name: &str) -> Result<&'static Method> {
        let found = METHODS.iter().find(|method| method.name == name);
        found
            .copied()
            .ok_or_else(|| unknown_name("method", name, METHODS.iter().map(|m| m.name)))
    }

    /// The names of all methods that can be told something, for messages.
    ///
    /// # Example
    /// ```
    /// use bayesieve::select::Method;
    ///
    /// let populations = Method::names_of_those(|takes| takes.only_populations);
    /// assert_eq!(populations, "fss-ebna");
    /// ```
    pub fn names_of_those(takes: impl Fn(&Takes) -> bool) -> String {
        let those = METHODS.iter().filter(|method| takes(&method.takes));
        let names: Vec<&str> = those.map(|method| method.name).collect();
        names.join(", ")
    }
}

impl FromStr for &'static Method {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        Method::named(text)
    }
}

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

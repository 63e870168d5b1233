//! The domains of rows in files, learned in as few passes as they need.

use std::collections::BTreeSet;

use super::{Profile, ProfileColumns, ProfileOptions};
use crate::Observer;
use crate::Result;
use crate::data::{BlockRequest, ColumnKind, Domains, RowBlocks};

/// Hands every file over, in the same order every time, so that not all of them need be open at
/// once.
pub type EachFile<'a> = dyn Fn(&mut dyn FnMut(&RowBlocks) -> Result<()>) -> Result<()> + 'a;

/// Learns the domains of the rows of all files together.
///
/// # Errors
/// Those of `each_file`, of [`RowBlocks::read`] with the file, and of [`Profile::finish`]; and a
/// file that lacks a column.
///
/// # Cost
/// One pass over every file; another one where text comes after numbers, for which the column
/// was taken.
pub fn learn_domains(
    each_file: &EachFile<'_>,
    columns: &ProfileColumns,
    options: &ProfileOptions,
    observer: &dyn Observer,
) -> Result<Domains> {
    let mut profile = Profile::new(columns, options)?;
    let mut as_text = BTreeSet::new();
    loop {
        let mut again = BTreeSet::new();
        each_file(&mut |file| {
            let wanted = wanted(file, columns, &as_text)?;
            let (columns, kinds): (Vec<usize>, Vec<Option<ColumnKind>>) =
                wanted.into_iter().unzip();
            let request = BlockRequest {
                columns: &columns,
                kinds: &kinds,
                n_skipped: 0,
            };
            file.read(request, observer, &mut |block| {
                again.extend(block.unclear);
                let observed = profile.observe(&block.table);
                observed.map_err(|error| file.blame(error))
            })
        })?;
        again.extend(
            profile
                .columns_to_read_again()
                .into_iter()
                .map(str::to_owned),
        );
        if again.is_empty() {
            return profile.finish();
        }
        profile = profile.start_again(&again);
        as_text.append(&mut again);
    }
}

/// The places of the columns in a file, rising, with the kinds that were declared or turned out.
fn wanted(
    file: &RowBlocks,
    columns: &ProfileColumns,
    as_text: &BTreeSet<String>,
) -> Result<Vec<(usize, Option<ColumnKind>)>> {
    let kinds = file.declared_kinds()?;
    let names = columns.features.iter().chain([&columns.class]);
    let names: Vec<&str> = names.map(String::as_str).collect();
    let mut places = file.places(&names)?;
    places.sort_unstable();
    let kind = |place: usize| {
        if as_text.contains(&file.names()[place]) {
            Some(ColumnKind::Nominal)
        } else {
            kinds[place]
        }
    };
    Ok(places
        .into_iter()
        .map(|place| (place, kind(place)))
        .collect())
}

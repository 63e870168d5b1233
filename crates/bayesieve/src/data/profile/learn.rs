//! The domains of rows in files, learned in as few passes as they need.

use std::collections::BTreeSet;

use super::{Profile, ProfileColumns, ProfileOptions};
use crate::data::{BlockRequest, ColumnKind, Domains, RowBlocks};
use crate::error::{Error, Result, quoted};
use crate::observer::Observer;

/// Learns the domains of the rows of all files together.
///
/// # Errors
/// Those of [`RowBlocks::read`] and [`Profile::finish`], with the file, and a file that lacks
/// a column.
///
/// # Cost
/// One pass over every file; another one where text comes after numbers, for which the column
/// was taken.
pub fn learn_domains(
    files: &[RowBlocks],
    columns: &ProfileColumns,
    options: &ProfileOptions,
    observer: &dyn Observer,
) -> Result<Domains> {
    let mut profile = Profile::new(columns, options)?;
    let mut as_text = BTreeSet::new();
    loop {
        let mut again = BTreeSet::new();
        for file in files {
            let mut wanted = wanted(file, columns)?;
            for (place, kind) in &mut wanted {
                if as_text.contains(&file.names()[*place]) {
                    *kind = Some(ColumnKind::Nominal);
                }
            }
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
            })?;
        }
        again.extend(
            profile
                .columns_to_read_again()
                .into_iter()
                .map(str::to_owned),
        );
        if again.is_empty() {
            return match files {
                [file] => profile.finish().map_err(|error| file.blame(error)),
                _ => profile.finish(),
            };
        }
        profile = profile.start_again(&again);
        as_text.append(&mut again);
    }
}

/// The places of the columns in a file, rising, with the kinds that were declared.
fn wanted(file: &RowBlocks, columns: &ProfileColumns) -> Result<Vec<(usize, Option<ColumnKind>)>> {
    let kinds = file.declared_kinds()?;
    let place = |name: &String| {
        let place = file.names().iter().position(|known| known == name);
        place.ok_or_else(|| {
            let error = Error::data(format!("there is no column {}", quoted(name)));
            file.blame(error.with_hint("Every file needs all columns."))
        })
    };
    let names = columns.features.iter().chain([&columns.class]);
    let mut places: Vec<usize> = names.map(place).collect::<Result<_>>()?;
    places.sort_unstable();
    Ok(places
        .into_iter()
        .map(|place| (place, kinds[place]))
        .collect())
}

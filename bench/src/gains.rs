//! What each part of the compiler gains: the instructions of a run without it, over those of a run
//! with it.

use crate::data::DataFolder;
use crate::invocation;
use crate::peers::Peer;
use crate::report::Table;
use crate::rows::Row;
use crate::tiers;
use riverhawk_spesh::ir::passes::Pass;
use std::error::Error;

/// Each alone: parts, passes over the program, and passes over the representation.
fn left_out() -> Vec<String> {
    let parts = ["--no-jit", "--no-osr", "--no-inline", "--no-pass=forms", "--no-pass=locals"];
    let parts = parts.map(String::from);
    parts.into_iter().chain(Pass::ALL.map(|pass| format!("--no-pass={}", pass.name()))).collect()
}

/// Runs of one program differ by less.
const GAIN: f64 = 1.03;

/// Named for each part.
const BEST: usize = 3;

/// A line for each part: the rows that gain most by it, and how many gain, and lose, 3 %.
/// `before` gets each row's name.
pub fn table(
    rows: &[Row],
    peers: &[Peer],
    data: &DataFolder,
    before: impl Fn(&str),
) -> Result<String, Box<dyn Error>> {
    let left_out = left_out();
    let mut gains: Vec<Vec<(f64, &str)>> = vec![Vec::new(); left_out.len()];
    for row in rows {
        let Some(whole) = invocation::of_rhawk(row, peers, data)? else { continue };
        before(row.name);
        // So that runs are repeatable.
        let count = |left_out: Option<&str>| {
            let mut way = whole.clone();
            let switches = ["--spesh-blocking"].into_iter().chain(left_out);
            way.args.splice(0..0, switches.map(Into::into));
            tiers::instructions(&way, data.folder())
        };
        let with = count(None)?;
        for (gains, switch) in gains.iter_mut().zip(&left_out) {
            gains.push((count(Some(switch))? / with, row.name));
        }
    }
    let mut table = Table::new(&["left out", "gain most by it", "gain 3 %", "lose 3 %"]);
    for (switch, gains) in left_out.iter().zip(&mut gains) {
        gains.sort_by(|a, b| b.0.total_cmp(&a.0));
        let best: Vec<String> =
            gains.iter().take(BEST).map(|(gain, row)| format!("{row} {gain:.2}")).collect();
        let gain = gains.iter().filter(|(gain, _)| *gain >= GAIN).count();
        let lose = gains.iter().filter(|(gain, _)| *gain <= 1.0 / GAIN).count();
        table.add(vec![
            format!("`{switch}`"),
            best.join(", "),
            format!("{gain} of {}", gains.len()),
            lose.to_string(),
        ]);
    }
    let mut text = String::new();
    table.write(&mut text);
    Ok(text)
}

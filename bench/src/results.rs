//! The results of a run: written as JSON, read with `--from`, and their verdicts.

use crate::rows::{Bar, STREAMING_KIB, Target};
use serde::{Deserialize, Serialize};

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Results {
    /// UTC, as 2026-11-21T22:04:00Z.
    pub date: String,
    pub machine: Machine,
    /// Size of the data; 1 is the full size.
    pub scale: f64,
    pub rounds: u32,
    /// On one core.
    pub pinned: bool,
    pub peers: Vec<PeerVersion>,
    pub rows: Vec<RowResult>,
}

/// The machine, as far as numbers depend on it.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Machine {
    /// Model name.
    pub cpu: String,
    pub cores: usize,
    /// Name and release.
    pub kernel: String,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct PeerVersion {
    pub name: String,
    pub version: String,
    /// An awk other than rhawk: may set the bar.
    pub is_awk: bool,
    pub is_rhawk: bool,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct RowResult {
    pub name: String,
    pub about: String,
    /// Maximum ratio to the bar.
    pub target: f64,
    /// The bar: `fastest-awk` or `mawk`.
    pub against: String,
    /// Peak memory has a bar too.
    pub streaming: bool,
    pub entries: Vec<Entry>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Entry {
    pub peer: String,
    pub status: Status,
    /// What was wrong, if anything.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub detail: String,
    /// Only after a right answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub times: Option<Times>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Status {
    Ok,
    /// Another answer than the reference.
    Wrong,
    /// A status other than 0.
    Failed,
    /// Over the time limit.
    Slow,
}

/// Per run of the program, in seconds.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Times {
    /// User and system time of the best round.
    pub cpu_min: f64,
    pub cpu_median: f64,
    /// Wall time of the best round.
    pub wall_min: f64,
    pub wall_median: f64,
    pub peak_kib: u64,
    pub rounds: u32,
}

/// Whether rhawk reached a row's bar.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Verdict {
    /// The ratio is within the target.
    Met(f64),
    Missed(f64),
    /// rhawk or the bar is absent.
    Unknown,
}

impl Target {
    pub fn against_name(&self) -> &'static str {
        match self.against {
            Bar::FastestAwk => "fastest-awk",
            Bar::Mawk => "mawk",
            Bar::Fastest => "fastest",
        }
    }
}

impl Results {
    fn is(&self, peer: &str, what: fn(&PeerVersion) -> bool) -> bool {
        self.peers.iter().any(|known| known.name == peer && what(known))
    }

    pub fn rhawk<'a>(&self, row: &'a RowResult) -> Option<&'a Entry> {
        row.entries.iter().find(|entry| self.is(&entry.peer, |peer| peer.is_rhawk))
    }

    /// Other than rhawk, with the right answer.
    pub fn fastest_awk<'a>(&self, row: &'a RowResult) -> Option<(&'a Entry, f64)> {
        fastest(row, |entry| self.is(&entry.peer, |peer| peer.is_awk))
    }

    /// Of all peers except rhawk.
    pub fn fastest_other<'a>(&self, row: &'a RowResult) -> Option<(&'a Entry, f64)> {
        fastest(row, |entry| !self.is(&entry.peer, |peer| peer.is_rhawk))
    }

    /// In seconds; the fastest awk replaces mawk without a right answer.
    pub fn bar(&self, row: &RowResult) -> Option<f64> {
        if row.against == "fastest" {
            return self.fastest_other(row).map(|(_, seconds)| seconds);
        }
        let mawk = fastest(row, |entry| row.against == "mawk" && entry.peer == "mawk");
        mawk.or_else(|| self.fastest_awk(row)).map(|(_, seconds)| seconds)
    }

    pub fn verdict(&self, row: &RowResult) -> Verdict {
        let rhawk = self.rhawk(row).and_then(|entry| entry.times);
        match (rhawk, self.bar(row)) {
            (Some(times), Some(bar)) if bar > 0.0 => {
                let ratio = times.cpu_min / bar;
                if ratio <= row.target { Verdict::Met(ratio) } else { Verdict::Missed(ratio) }
            }
            _ => Verdict::Unknown,
        }
    }

    /// `None` without one of them.
    pub fn memory_met(&self, row: &RowResult) -> Option<bool> {
        let times = self.rhawk(row)?.times?;
        row.streaming.then_some(times.peak_kib <= STREAMING_KIB)
    }
}

fn fastest(row: &RowResult, counts: impl Fn(&Entry) -> bool) -> Option<(&Entry, f64)> {
    row.entries
        .iter()
        .filter(|entry| entry.status == Status::Ok && counts(entry))
        .filter_map(|entry| Some((entry, entry.times?.cpu_min)))
        .min_by(|one, other| one.1.total_cmp(&other.1))
}

/// rhawk twice as fast as mawk, frawk even faster but wrong, perl between.
#[cfg(test)]
pub fn example() -> Results {
    let entry = |peer: &str, status, cpu: f64| Entry {
        peer: peer.into(),
        status,
        detail: String::new(),
        times: (status == Status::Ok).then_some(Times {
            cpu_min: cpu,
            cpu_median: cpu * 1.1,
            wall_min: cpu,
            wall_median: cpu * 1.2,
            peak_kib: 3_000,
            rounds: 5,
        }),
    };
    let peer = |name: &str, is_awk| PeerVersion {
        name: name.into(),
        version: format!("{name} <1.0> & more"),
        is_awk,
        is_rhawk: name == "rhawk",
    };
    Results {
        date: "2026-11-21T22:04:00Z".into(),
        machine: Machine { cpu: "Some <CPU>".into(), cores: 2, kernel: "Linux 6.18".into() },
        scale: 1.0,
        rounds: 5,
        pinned: true,
        peers: vec![
            peer("rhawk", false),
            peer("gawk", true),
            peer("mawk", true),
            peer("frawk", true),
            peer("perl", false),
        ],
        rows: vec![RowResult {
            name: "length".into(),
            about: "characters & lines".into(),
            target: 0.5,
            against: "fastest-awk".into(),
            streaming: true,
            entries: vec![
                entry("rhawk", Status::Ok, 0.02),
                entry("gawk", Status::Ok, 0.4),
                entry("mawk", Status::Ok, 0.04),
                entry("frawk", Status::Wrong, 0.0),
                entry("perl", Status::Ok, 0.03),
            ],
        }],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wrong_answer_never_counts_as_fastest() {
        let mut results = example();
        results.rows[0].entries[3].times =
            results.rows[0].entries[0].times.map(|times| Times { cpu_min: 0.001, ..times });
        let (awk, _) = results.fastest_awk(&results.rows[0]).expect("somebody was right");
        assert_eq!(awk.peer, "mawk");
        let (other, _) = results.fastest_other(&results.rows[0]).expect("somebody was right");
        assert_eq!(other.peer, "perl");
    }

    #[test]
    fn the_verdict_follows_the_target_and_its_bar() {
        let mut results = example();
        assert_eq!(results.verdict(&results.rows[0]), Verdict::Met(0.5));
        results.rows[0].target = 0.4;
        assert_eq!(results.verdict(&results.rows[0]), Verdict::Missed(0.5));
        results.rows[0].entries.remove(0);
        assert_eq!(results.verdict(&results.rows[0]), Verdict::Unknown);
    }

    #[test]
    fn memory_is_judged_in_streaming_rows_only() {
        let mut results = example();
        assert_eq!(results.memory_met(&results.rows[0]), Some(true));
        results.rows[0].streaming = false;
        assert_eq!(results.memory_met(&results.rows[0]), None);
    }

    #[test]
    fn json_keeps_everything() {
        let results = example();
        let text = serde_json::to_string_pretty(&results).expect("plain data");
        let back: Results = serde_json::from_str(&text).expect("what was written");
        assert_eq!(serde_json::to_string_pretty(&back).expect("plain data"), text);
    }
}

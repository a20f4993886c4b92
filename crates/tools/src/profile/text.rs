//! A profile as a person reads it.

use super::{Fallback, Profile, ProfilePart, SourcePlace};
use std::fmt::Write;

pub(super) fn write(profile: &Profile) -> String {
    let mut out = String::new();
    let seconds = profile.elapsed as f64 / 1e9;
    let _ = writeln!(
        out,
        "Profile of {}: {}, {} samples",
        profile.program,
        time(profile.elapsed),
        profile.samples
    );
    if profile.records > 0 {
        let rate = |count: u64| count as f64 / seconds.max(1e-9);
        let _ = writeln!(
            out,
            "{} records and {} bytes read: {:.0} records and {:.1} MB a second",
            profile.records,
            profile.bytes,
            rate(profile.records),
            rate(profile.bytes) / 1e6
        );
    }
    shares(profile, &mut out);
    parts(profile, &mut out);
    if !profile.loops.is_empty() {
        out.push_str("\nLoops entered as machine code on the way:\n");
        for entered in &profile.loops {
            let _ = writeln!(
                out,
                "{:>12}  {} in {}",
                entered.count,
                show(&entered.place),
                entered.part
            );
        }
    }
    let (guards, others): (Vec<_>, Vec<_>) =
        profile.fallbacks.iter().partition(|fallback| fallback.is_guard);
    fallbacks("Guards of machine code that failed", &guards, &mut out);
    fallbacks("Machine code left for the interpreter", &others, &mut out);
    out
}

/// The shares of machine code.
fn shares(profile: &Profile, out: &mut String) {
    let sum = |of: fn(&ProfilePart) -> u64| profile.parts.iter().map(of).sum::<u64>();
    let (entries, own) = (sum(ProfilePart::entries), sum(ProfilePart::self_time));
    if entries > 0 {
        let _ = writeln!(
            out,
            "{entries} entries: {} interpreted, {} as machine code, {} inlined; {} of the time in machine code",
            percent(sum(|part| part.interpreted), entries),
            percent(sum(|part| part.compiled), entries),
            percent(sum(|part| part.inlined), entries),
            percent(sum(|part| part.self_compiled), own)
        );
    }
}

fn parts(profile: &Profile, out: &mut String) {
    let all: u64 = profile.parts.iter().map(ProfilePart::self_time).sum();
    let mut parts: Vec<&ProfilePart> = profile.parts.iter().collect();
    parts.sort_by(|a, b| (b.self_time(), &a.place).cmp(&(a.self_time(), &b.place)));
    out.push_str(
        "\n         own time        with callees      in code       entries    interpr.  mach. code     inlined  rule or function\n",
    );
    for part in parts {
        let entries = part.entries();
        let _ = writeln!(
            out,
            "{:>10} {:>7}  {:>10} {:>7}  {:>9}  {:>12}  {:>10}  {:>10}  {:>10}  {} ({})",
            time(part.self_time()),
            percent(part.self_time(), all),
            time(part.total),
            percent(part.total, all),
            percent(part.self_compiled, part.self_time()),
            entries,
            percent(part.interpreted, entries),
            percent(part.compiled, entries),
            percent(part.inlined, entries),
            part.name,
            line(&part.place)
        );
    }
}

fn fallbacks(heading: &str, fallbacks: &[&Fallback], out: &mut String) {
    if fallbacks.is_empty() {
        return;
    }
    let _ = writeln!(out, "\n{heading}:");
    for fallback in fallbacks {
        let _ = writeln!(
            out,
            "{:>12}  {} in {}: {}\n              {}",
            fallback.count,
            show(&fallback.place),
            fallback.part,
            fallback.reason,
            fallback.text
        );
    }
}

fn show(place: &SourcePlace) -> String {
    format!("{}:{}:{}", place.file, place.line, place.column)
}

fn line(place: &SourcePlace) -> String {
    format!("{}:{}", place.file, place.line)
}

fn time(nanoseconds: u64) -> String {
    match nanoseconds as f64 {
        0.0 => String::from("-"),
        ns if ns < 1e6 => format!("{:.0} us", ns / 1e3),
        ns if ns < 1e9 => format!("{:.1} ms", ns / 1e6),
        ns => format!("{:.2} s", ns / 1e9),
    }
}

/// Only the whole is 100 %.
fn percent(part: u64, whole: u64) -> String {
    match (part, whole) {
        (0, _) | (_, 0) => String::from("-"),
        (part, whole) if part == whole => String::from("100 %"),
        (part, whole) => {
            let share = part as f64 / whole as f64 * 100.0;
            match share {
                share if share > 99.99 => String::from(">99.99 %"),
                share if share > 99.0 => format!("{share:.2} %"),
                share if share < 0.1 => String::from("<0.1 %"),
                share => format!("{share:.1} %"),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::profile::ProfileFormat;
    use crate::profile::sample::sample;

    #[test]
    fn the_table_is_sorted_by_own_time_and_says_how_things_ran() {
        let text = sample().write(ProfileFormat::Text);
        let rows: Vec<&str> = text.lines().filter(|line| line.contains("(prog.awk:")).collect();
        let names: Vec<&str> = rows.iter().filter_map(|row| row.split("  ").last()).collect();
        assert_eq!(
            names,
            [
                "g (prog.awk:1)",
                "$1 ~ /a;b/ (prog.awk:4)",
                "f (prog.awk:2)",
                "main (prog.awk:4)",
                "BEGIN (prog.awk:3)"
            ]
        );
        let cells: Vec<&str> = rows[0].split_whitespace().collect();
        assert_eq!(cells[..8], ["2.1", "ms", "73.3", "%", "2.1", "ms", "73.3", "%"]);
        assert_eq!(cells[8..17], ["97.1", "%", "1000", "0.2", "%", "9.8", "%", "90.0", "%"]);
        assert!(
            text.contains(
                "1000 records and 42000 bytes read: 355745 records and 14.9 MB a second\n"
            ),
            "{text}"
        );
        assert!(text.contains("           2  prog.awk:3:3 in BEGIN\n"), "{text}");
        assert!(
            text.contains(
                "           7  prog.awk:1:3 in g: a divisor of zero\n              x / y\n"
            ),
            "{text}"
        );
    }

    #[test]
    fn a_share_that_is_not_all_does_not_look_like_it() {
        assert_eq!(percent(999_999, 1_000_000), ">99.99 %");
        assert_eq!(percent(9_995, 10_000), "99.95 %");
        assert_eq!(percent(1_000, 1_000), "100 %");
        assert_eq!(percent(1, 1_000_000), "<0.1 %");
        assert_eq!(percent(0, 10), "-");
    }
}

//! Callgrind's format, version 1 (<https://valgrind.org/docs/manual/cl-format.html>), for
//! `callgrind_annotate` and KCachegrind.
//!
//! The event is a nanosecond; positions are lines. A function's own time stands at its first line,
//! its calls at theirs. `callgrind_annotate` adds up all calls of a function, so a recursion's time
//! stands at the outermost call.

use super::{Profile, ProfilePart};
use std::fmt::Write;

pub(super) fn write(profile: &Profile) -> String {
    let mut out = String::new();
    let total: u64 = profile.parts.iter().map(ProfilePart::self_time).sum();
    let _ = write!(
        out,
        "# callgrind format\nversion: 1\ncreator: rhawk {}\npid: {}\ncmd: {}\npart: 1\n\n\
         desc: Trigger: Program termination\n\npositions: line\nevent: ns : Nanoseconds\nevents: ns\nsummary: {total}\n",
        env!("CARGO_PKG_VERSION"),
        // Where processes have no numbers, 0.
        riverhawk_system::process_id().unwrap_or(0),
        one_line(&profile.program),
    );
    let mut names = Names::default();
    for (number, part) in profile.parts.iter().enumerate() {
        let _ = write!(out, "\nfl={}\n", names.file(&part.place.file));
        let _ = writeln!(out, "fn={}", names.function(number, &part.name));
        let _ = writeln!(out, "{} {}", part.place.line, part.self_time());
        for call in profile.calls.iter().filter(|call| call.caller == number) {
            let callee = &profile.parts[call.callee];
            // A call is in its caller's file.
            if call.place.file != part.place.file {
                let _ = writeln!(out, "fe={}", names.file(&call.place.file));
            }
            let _ = writeln!(out, "cfi={}", names.file(&callee.place.file));
            let _ = writeln!(out, "cfn={}", names.function(call.callee, &callee.name));
            let _ = writeln!(out, "calls={} {}", call.count, callee.place.line);
            let _ = writeln!(out, "{} {}", call.place.line, call.time);
            if call.place.file != part.place.file {
                let _ = writeln!(out, "fe={}", names.file(&part.place.file));
            }
        }
    }
    let _ = write!(out, "\ntotals: {total}\n");
    out
}

/// Names are numbered; a name that begins with a parenthesis would be taken for a number.
#[derive(Default)]
struct Names {
    files: Vec<String>,
    functions: Vec<usize>,
}

impl Names {
    fn file(&mut self, file: &str) -> String {
        match self.files.iter().position(|known| known == file) {
            Some(number) => format!("({})", number + 1),
            None => {
                self.files.push(file.to_owned());
                format!("({}) {}", self.files.len(), one_line(file))
            }
        }
    }

    fn function(&mut self, number: usize, name: &str) -> String {
        if self.functions.contains(&number) {
            return format!("({})", number + 1);
        }
        self.functions.push(number);
        format!("({}) {}", number + 1, one_line(name))
    }
}

fn one_line(text: &str) -> String {
    text.replace(['\n', '\r'], " ")
}

#[cfg(test)]
mod tests {
    use crate::profile::ProfileFormat;
    use crate::profile::sample::sample;
    use std::collections::BTreeMap;

    /// Own time, and time of all calls, by function: what `callgrind_annotate` adds up.
    fn read(text: &str) -> (BTreeMap<String, u64>, BTreeMap<String, u64>) {
        let (mut own, mut called) = (BTreeMap::new(), BTreeMap::new());
        let mut names = BTreeMap::new();
        let mut resolve = |text: &str| {
            let (number, name) = text.split_once(')').unwrap();
            if !name.is_empty() {
                names.insert(number.to_owned(), name[1..].to_owned());
            }
            names[number].clone()
        };
        let (mut function, mut callee) = (String::new(), None);
        for line in text.lines().skip_while(|line| !line.starts_with("summary")).skip(1) {
            match line.split_once('=') {
                Some(("fn", name)) => function = resolve(name),
                Some(("cfn", name)) => callee = Some(resolve(name)),
                Some(("fl" | "fe" | "cfi" | "calls", _)) => {}
                Some(other) => panic!("{other:?}"),
                None if line.is_empty() || line.starts_with("totals: ") => {}
                None => {
                    let (_, cost) = line.split_once(' ').unwrap();
                    let cost: u64 = cost.parse().unwrap();
                    let (map, name) = match callee.take() {
                        Some(callee) => (&mut called, callee),
                        None => (&mut own, function.clone()),
                    };
                    *map.entry(name).or_default() += cost;
                }
            }
        }
        (own, called)
    }

    #[test]
    fn own_times_add_up_to_the_summary_and_calls_to_what_passed_below() {
        let profile = sample();
        let text = profile.write(ProfileFormat::Callgrind);
        assert!(
            text.contains("\nsummary: 2810000\n") && text.contains("\npositions: line\n"),
            "{text}"
        );
        let (own, called) = read(&text);
        assert_eq!(own.values().sum::<u64>(), 2_810_000);
        for part in &profile.parts {
            assert_eq!(own[&part.name], part.self_time(), "{}", part.name);
            if let Some(&called) = called.get(&part.name) {
                assert_eq!(called, part.total, "{}", part.name);
            }
        }
        assert_eq!(called.len(), 3);
    }
}

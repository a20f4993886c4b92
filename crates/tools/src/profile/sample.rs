//! A profile for tests of the formats: BEGIN calls f, f calls g and itself; a rule calls g.

use super::{Call, EnteredLoop, Fallback, Profile, ProfilePart, SourcePlace, StackNode};

fn place(line: usize) -> SourcePlace {
    SourcePlace { file: String::from("prog.awk"), line, column: 3 }
}

pub(super) fn sample() -> Profile {
    let part = |name: &str, line, entries: [u64; 3], own: [u64; 2], total| ProfilePart {
        name: name.to_owned(),
        place: place(line),
        interpreted: entries[0],
        compiled: entries[1],
        inlined: entries[2],
        self_interpreted: own[0],
        self_compiled: own[1],
        total,
    };
    let call = |caller, callee, line, count, time| Call {
        caller,
        callee,
        place: place(line),
        count,
        time,
    };
    let node = |part, parent, time| StackNode { part, parent, time };
    Profile {
        program: String::from("prog.awk"),
        elapsed: 2_811_000,
        samples: 12,
        records: 1_000,
        bytes: 42_000,
        parts: vec![
            part("g", 1, [2, 98, 900], [60_000, 2_000_000], 2_060_000),
            part("f", 2, [1, 9, 0], [0, 200_000], 2_200_000),
            part("BEGIN", 3, [1, 0, 0], [10_000, 0], 2_210_000),
            part("main", 4, [1, 0, 0], [40_000, 0], 600_000),
            part("$1 ~ /a;b/", 4, [1_000, 0, 0], [500_000, 0], 560_000),
        ],
        calls: vec![
            call(2, 1, 3, 1, 2_200_000),
            call(1, 1, 2, 9, 0),
            call(1, 0, 2, 900, 2_000_000),
            call(3, 4, 4, 1_000, 560_000),
            call(4, 0, 4, 100, 60_000),
        ],
        stacks: vec![
            node(None, 0, 1_000),
            node(Some(2), 0, 10_000),
            node(Some(1), 1, 200_000),
            node(Some(0), 2, 2_000_000),
            node(Some(3), 0, 40_000),
            node(Some(4), 4, 500_000),
            node(Some(0), 5, 60_000),
        ],
        loops: vec![EnteredLoop { part: String::from("BEGIN"), place: place(3), count: 2 }],
        fallbacks: vec![Fallback {
            part: String::from("g"),
            place: place(1),
            text: String::from("x / y"),
            reason: String::from("a divisor of zero"),
            is_guard: false,
            count: 7,
        }],
    }
}

//! Folded stacks: a line for each stack, outermost first, with microseconds; for `flamegraph.pl`,
//! `inferno-flamegraph` and speedscope.

use super::Profile;
use std::fmt::Write;

pub(super) fn write(profile: &Profile) -> String {
    let mut out = String::new();
    let nodes = profile.stacks.iter().enumerate().filter(|(_, node)| node.time >= 1_000);
    for (number, node) in nodes {
        let mut path = Vec::new();
        let mut at = number;
        while let Some(part) = profile.stacks[at].part {
            path.push(name(&profile.parts[part].name));
            at = profile.stacks[at].parent;
        }
        path.reverse();
        if path.is_empty() {
            path.push(String::from("(outside)"));
        }
        let _ = writeln!(out, "{} {}", path.join(";"), node.time / 1_000);
    }
    out
}

/// A semicolon would end the name.
fn name(name: &str) -> String {
    name.replace(';', ",")
}

#[cfg(test)]
mod tests {
    use crate::profile::ProfileFormat;
    use crate::profile::sample::sample;

    #[test]
    fn each_stack_is_a_line_with_microseconds() {
        assert_eq!(
            sample().write(ProfileFormat::Folded),
            "(outside) 1\nBEGIN 10\nBEGIN;f 200\nBEGIN;f;g 2000\nmain 40\nmain;$1 ~ /a,b/ 500\nmain;$1 ~ /a,b/;g 60\n"
        );
    }
}

//! Counts clusters and finds the n-th, mostly without the rules.
//!
//! Each stretch of text is counted in one of three ways:
//!
//! 1. ASCII without a carriage return: a cluster is a byte.
//! 2. Code points below U+0300 without a carriage return: a cluster is a code point, counted by
//!    SIMD.
//! 3. Anything else: by the rules, until plain text begins again.

use super::rules::Machine;
use super::{class_of, cluster_len};
use crate::valid::stretches;
use riverhawk_simd::{count_code_points, first_not_below};

/// The lead byte of U+0300, the first code point that can join the one before it.
const LEAD_OF_0300: u8 = 0xCC;

/// Counting by the rules ends after this many ASCII bytes.
const PLAIN_RUN: usize = 8;

/// How many clusters `text` has; a broken byte is one.
#[inline]
pub fn grapheme_count(text: &[u8]) -> usize {
    if is_byte_per_cluster(text) { text.len() } else { count_mixed(text) }
}

/// Whether `text` is ASCII without a carriage return: each byte is a cluster.
#[inline]
pub(crate) fn is_byte_per_cluster(text: &[u8]) -> bool {
    first_not_below(text, 0x80, b'\r').is_none()
}

/// Counts stretches of valid UTF-8. A broken byte is a cluster that nothing joins.
fn count_mixed(text: &[u8]) -> usize {
    stretches(text).map(|(valid, broken)| count_valid(valid) + broken.len()).sum()
}

fn count_valid(text: &str) -> usize {
    let (mut count, mut at) = (0, 0);
    while at < text.len() {
        let rest = &text.as_bytes()[at..];
        // The rules may join the last code point to what follows, so the stretch ends before it.
        let plain = first_not_below(rest, LEAD_OF_0300, b'\r').unwrap_or(rest.len());
        count += count_code_points(&rest[..plain]);
        at += plain;
        if at == text.len() {
            break;
        }
        let mut machine = Machine::START;
        if let Some(last) = text[..at].chars().next_back() {
            machine.step(class_of(last));
        }
        let (clusters, end) = count_by_rules(text, at, machine);
        count += clusters;
        at = end;
    }
    count
}

/// How many clusters begin at or after byte `at`, by the rules, and where plain text begins.
fn count_by_rules(text: &str, at: usize, mut machine: Machine) -> (usize, usize) {
    let mut count = 0;
    let mut chars = text[at..].chars();
    loop {
        let rest = chars.as_str();
        let Some(c) = chars.next() else { return (count, text.len()) };
        if c.is_ascii() && begins_plain(rest.as_bytes()) && !machine.may_join_ascii() {
            return (count, text.len() - rest.len());
        }
        count += usize::from(machine.step_guessing(class_of(c)));
    }
}

#[inline]
fn begins_plain(text: &[u8]) -> bool {
    text.first_chunk::<PLAIN_RUN>().is_some_and(|run| {
        let word = u64::from_le_bytes(*run);
        // Finds carriage returns as zero bytes. A borrow can only mark a byte after one.
        let other = word ^ 0x0D0D_0D0D_0D0D_0D0D;
        let zero = other.wrapping_sub(0x0101_0101_0101_0101) & !other;
        (word | zero) & 0x8080_8080_8080_8080 == 0
    })
}

/// The byte where cluster `n` (from 0) begins, or the end of `text`.
pub(crate) fn skip_clusters(text: &[u8], n: usize) -> usize {
    // If this byte and all before it are plain, the answer is n.
    match text.get(..=n) {
        None if is_byte_per_cluster(text) => return text.len().min(n),
        Some(head) if is_byte_per_cluster(head) => return n,
        _ => {}
    }
    let (mut at, mut left) = (0, n);
    while left > 0 && at < text.len() {
        let rest = &text[at..];
        if left >= PLAIN_RUN && begins_plain(rest) && rest.get(PLAIN_RUN).is_none_or(u8::is_ascii) {
            at += PLAIN_RUN;
            left -= PLAIN_RUN;
        } else {
            at += cluster_len(rest);
            left -= 1;
        }
    }
    at
}

//! Streams besides the main input: getline, commands, several files.

use super::Row;
use crate::data::{KEYS1K, LINES60, LOG, WORDS};

pub fn rows() -> Vec<Row> {
    vec![
        Row::reads("getline-file", "getline from a file", &[], "BEGIN { f = \"@lines60@\"; while ((getline line < f) > 0) n += length(line); print n }")
            .perl(&["-e"], "open my $f, '<', '@lines60@'; while (my $line = <$f>) { chomp $line; $n += length $line } print \"$n\\n\""),
        Row::reads("getline-main", "plain getline in BEGIN", &[LINES60], "BEGIN { while (getline > 0) n += length($0); print NR, n }"),
        Row::reads("getline-command", "getline from a command", &[], "BEGIN { c = \"cat @lines60@\"; while ((c | getline line) > 0) n += length(line); close(c); print n }"),
        Row::reads("pipe-out", "every line into a command", &[WORDS], "{ print | \"cat\" }"),
        Row::reads("pipe-sort", "sums by key into sort", &[KEYS1K], "{ s[$1] += $2 } END { for (k in s) print s[k], k | \"LC_ALL=C sort -k1,1nr -k2\"; close(\"LC_ALL=C sort -k1,1nr -k2\") }").keeps_data(),
        Row::reads("several-files", "three files, the length of each", &[WORDS, LOG, WORDS], "{ n[FNR == 1 ? ++f : f] += length($0) } END { for (i = 1; i <= f; i++) print i, n[i] }"),
        Row::reads("next-file", "the first line of each of three files", &[WORDS, LOG, WORDS], "{ print FNR, $1; nextfile }").repeated(20),
    ]
}

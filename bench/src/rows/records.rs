//! Records other than lines: paragraphs, separators of one character or a pattern, header blocks.

use super::Row;
use crate::data::{HEADERS, LOG, MARKED, PARAGRAPHS, SEMICOLONS};

pub fn rows() -> Vec<Row> {
    vec![
        Row::reads("regex-rs", "records between markers that a pattern finds", &[MARKED], "BEGIN { RS = \"\\n---[0-9]+---\\n\" } { n += length($0) } END { print NR, n }")
            .perl(&["-0777", "-ne"], "for (split /\\n---[0-9]+---\\n/) { $r++; $n += length } END { print \"$r $n\\n\" }")
            .python("import re, sys\nr = re.split(r'\\n---[0-9]+---\\n', open(sys.argv[1]).read())\nif r[-1] == '': r.pop()\nprint(len(r), sum(map(len, r)))"),
        Row::reads("any-line-end-rs", "lines that end in LF or CRLF, by a pattern", &[HEADERS], "BEGIN { RS = \"\\r?\\n\" } { n += length($0) } END { print NR, n }")
            .perl(&["-ne"], "s/\\r?\\n$//; $n += length; END { print \"$. $n\\n\" }"),
        Row::reads("long-rs", "a separator as long as the file", &[LOG], "BEGIN { RS = \"[^\\001]+\" } END { print NR }"),
        Row::reads("char-rs", "records that end in a semicolon", &[SEMICOLONS], "BEGIN { RS = \";\" } { n += length($0) } END { print NR, n }")
            .perl(&["-ne"], "BEGIN { $/ = ';' } chomp; $n += length; END { print \"$. $n\\n\" }"),
        Row::reads("char-rs-fields", "name=number records, summed", &[SEMICOLONS], "BEGIN { RS = \";\"; FS = \"=\" } { s += $2 } END { print s }")
            .perl(&["-ne"], "BEGIN { $/ = ';' } $s += (split /=/)[1]; END { print \"$s\\n\" }"),
        Row::reads("paragraphs", "paragraphs, and their fields", &[PARAGRAPHS], "BEGIN { RS = \"\" } { n += NF } END { print NR, n }")
            .perl(&["-00", "-ne"], "$n += split; END { print \"$. $n\\n\" }"),
        Row::reads("paragraph-lines", "paragraphs, each line a field", &[PARAGRAPHS], "BEGIN { RS = \"\"; FS = \"\\n\" } { n += NF; c += length($1) } END { print NR, n, c }"),
        Row::reads("headers", "HTTP header blocks: lengths by content type", &[HEADERS], "{ sub(/\\r$/, \"\") } /^Content-Type:/ { type = $2 } /^Content-Length:/ { size[type] += $2 } END { for (t in size) printf \"%s %.0f\\n\", t, size[t] }")
            .any_order()
            .perl(&["-ne"], "s/\\r$//; $t = $1 if /^Content-Type: *([^ \\n]+)/; $s{$t} += $1 if /^Content-Length: *(\\d+)/; END { print \"$_ $s{$_}\\n\" for keys %s }"),
        Row::reads("headers-cut", "HTTP header lines cut up by index and substr, counted by name", &[HEADERS], "{ sub(/\\r$/, \"\") } (i = index($0, \":\")) { name = substr($0, 1, i - 1); value = substr($0, i + 1); sub(/^[ \\t]+/, \"\", value); n[name]++; size[name] += length(value) } END { for (h in n) print h, n[h], size[h] }")
            .any_order()
            .perl(&["-ne"], "s/\\r?\\n$//; if (($i = index($_, ':')) >= 0) { $h = substr($_, 0, $i); $v = substr($_, $i + 1); $v =~ s/^[ \\t]+//; $n{$h}++; $s{$h} += length $v } END { print \"$_ $n{$_} $s{$_}\\n\" for keys %n }"),
        Row::reads("headers-crlf", "HTTP header lines by regex RS, name and value split", &[HEADERS], "BEGIN { RS = \"\\r\\n\"; FS = \": \" } NF > 1 { n[$1] += length($2) } END { for (h in n) print h, n[h] }").any_order(),
    ]
}

//! Fields: choosing, summing, swapping and rewriting columns.

use super::Row;
use crate::data::{CSV, LOG, TABLE, TSV};

pub fn rows() -> Vec<Row> {
    vec![
        Row::reads("column", "print the third column", &[TABLE], "{ print $3 }")
            .perl(&["-lane"], "print $F[2]")
            .python("import sys\nw = sys.stdout.write\nfor line in open(sys.argv[1]): w(line.split(None, 3)[2] + '\\n')")
            .ruby(&["-Ebinary", "-lane"], "puts $F[2]"),
        Row::reads("first-column", "print the first column", &[TABLE], "{ print $1 }")
            .tool("cut", &["-d", " ", "-f1"])
            .tool("sed", &["s/ .*//"])
            .perl(&["-lane"], "print $F[0]"),
        Row::reads("last-column", "print the last column", &[TABLE], "{ print $NF }")
            .perl(&["-lane"], "print $F[-1]")
            .python("import sys\nw = sys.stdout.write\nfor line in open(sys.argv[1]): w(line.rsplit(None, 1)[-1] + '\\n')"),
        Row::reads("swap", "print the second column, then the first", &[TABLE], "{ print $2, $1 }")
            .perl(&["-lane"], "print \"$F[1] $F[0]\"")
            .python("import sys\nw = sys.stdout.write\nfor line in open(sys.argv[1]):\n    f = line.split(None, 2); w(f[1] + ' ' + f[0] + '\\n')")
            .ruby(&["-Ebinary", "-lane"], "puts \"#{$F[1]} #{$F[0]}\"")
            .lua("local out = io.stdout\nfor line in io.lines(arg[1]) do\n  local a, b = line:match('^%s*(%S+)%s+(%S+)')\n  out:write(b, ' ', a, '\\n')\nend"),
        Row::reads("swap-assign", "exchange two columns in the record", &[TABLE], "{ t = $1; $1 = $2; $2 = t; print }")
            .perl(&["-lane"], "@F[0, 1] = @F[1, 0]; print \"@F\""),
        Row::reads("reverse-columns", "the columns in reverse order", &[TABLE], "{ for (i = NF; i > 1; i--) printf \"%s \", $i; print $1 }")
            .perl(&["-lane"], "print join ' ', reverse @F"),
        Row::reads("sum", "sum an integer column", &[TABLE], "{ s += $2 } END { printf \"%.0f\\n\", s }")
            .perl(&["-lane"], "$s += $F[1]; END { print $s }")
            .python("import sys\nprint(sum(int(line.split(None, 2)[1]) for line in open(sys.argv[1])))")
            .ruby(&["-Ebinary"], "s = 0; File.foreach(ARGV[0]) { |line| s += line.split(' ', 3)[1].to_i }; puts s")
            .lua("local s = 0\nfor line in io.lines(arg[1]) do s = s + line:match('^%s*%S+%s+(%S+)') end\nprint(string.format('%d', s))"),
        Row::reads("sum-decimal", "sum a column of decimals", &[TABLE], "{ s += $5 } END { printf \"%.4f\\n\", s }")
            .perl(&["-lane"], "$s += $F[4]; END { printf \"%.4f\\n\", $s }")
            .python("import sys\ns = 0.0\nfor line in open(sys.argv[1]): s += float(line.split(None, 5)[4])\nprint('%.4f' % s)"),
        Row::reads(
            "statistics",
            "minimum, maximum and mean of a column",
            &[TABLE],
            "NR == 1 { min = max = $4 } $4 < min { min = $4 } $4 > max { max = $4 } { s += $4 } END { printf \"%.2f %.2f %.4f\\n\", min, max, s / NR }",
        )
        .perl(
            &["-lane"],
            "$v = $F[3]; $min = $v if $. == 1 || $v < $min; $max = $v if $. == 1 || $v > $max; $s += $v; END { printf \"%.2f %.2f %.4f\\n\", $min, $max, $s / $. }",
        ),
        Row::reads("fields", "number of fields", &[TABLE], "{ n += NF } END { print n }")
            .filter("wc", &["-w"])
            .perl(&["-ne"], "$n += split; END { print \"$n\\n\" }")
            .python("import sys\nprint(sum(len(line.split()) for line in open(sys.argv[1], 'rb')))")
            .ruby(&["-Ebinary"], "n = 0; File.foreach(ARGV[0]) { |line| n += line.split.size }; puts n"),
        Row::reads("sum-row", "sum all numbers of every row", &[TABLE], "{ for (i = 1; i <= NF; i++) s += $i } END { printf \"%.2f\\n\", s }"),
        Row::reads("where-number", "rows whose number is over a bound", &[TABLE], "$2 > 90000")
            .perl(&["-ane"], "print if $F[1] > 90000")
            .python("import sys\nw = sys.stdout.write\nfor line in open(sys.argv[1]):\n    if int(line.split(None, 2)[1]) > 90000: w(line)"),
        Row::reads("where-text", "rows whose name is one of eight", &[TABLE], "$3 == \"echo\"").perl(&["-ane"], "print if $F[2] eq 'echo'"),
        Row::reads("rejoin", "every row again, commas for blanks", &[TABLE], "{ $1 = $1; print }").flags(&["-v", "OFS=,"]).perl(&["-lane"], "print join ',', @F"),
        Row::reads("assign", "change one column", &[TABLE], "{ $4 = $4 * 2; print }").perl(&["-lane"], "$F[3] *= 2; print \"@F\""),
        Row::reads("csv-sum", "sum a column between commas", &[CSV], "{ s += $4 } END { printf \"%.2f\\n\", s }")
            .flags(&["-F,"])
            .perl(&["-F,", "-lane"], "$s += $F[3]; END { printf \"%.2f\\n\", $s }")
            .python("import sys\ns = 0.0\nfor line in open(sys.argv[1]): s += float(line.split(',', 4)[3])\nprint('%.2f' % s)"),
        Row::reads("csv-columns", "two columns between commas", &[CSV], "{ print $2 \",\" $7 }").flags(&["-F,"]).tool("cut", &["-d,", "-f2,7"]),
        Row::reads("tsv-columns", "two columns between tabs", &[TSV], "{ print $2, $5 }")
            .flags(&["-F\\t", "-v", "OFS=\\t"])
            .tool("cut", &["-f2,5"])
            .perl(&["-F\\t", "-lane"], "print \"$F[1]\\t$F[4]\""),
        Row::reads("quoted-fields", "the request out of an access log", &[LOG], "{ print $2 }").flags(&["-F\""]).tool("cut", &["-d\"", "-f2"]),
        Row::reads("regex-fields", "fields between characters of a set", &[LOG], "{ n += NF; s += length($4) } END { print n, s }").flags(&["-F[][ \"]+"]),
    ]
}

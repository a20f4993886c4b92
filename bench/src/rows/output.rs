//! Formatting and printing.

use super::Row;
use crate::data::TABLE;

pub fn rows() -> Vec<Row> {
    vec![
        Row::reads("printf", "aligned columns by printf", &[TABLE], "{ printf \"%-10s %8.2f %06d|%5s\\n\", $3, $4, $2, $8 }")
            .perl(&["-ane"], "printf \"%-10s %8.2f %06d|%5s\\n\", $F[2], $F[3], $F[1], $F[7]")
            .python("import sys\nw = sys.stdout.write\nfor line in open(sys.argv[1]):\n    f = line.split()\n    w('%-10s %8.2f %06d|%5s\\n' % (f[2], float(f[3]), int(f[1]), f[7]))")
            .ruby(&["-Ebinary", "-ane"], "printf(\"%-10s %8.2f %06d|%5s\\n\", $F[2], $F[3].to_f, $F[1].to_i, $F[7])"),
        Row::reads("print-decimal", "computed decimals through OFMT", &[TABLE], "{ print $4 * 1.5, $5 / 3 }")
            .perl(&["-ane"], "printf \"%.6g %.6g\\n\", $F[3] * 1.5, $F[4] / 3"),
        Row::reads("print-integer", "computed integers", &[TABLE], "{ print $2 * 3, NR }").perl(&["-lane"], "print $F[1] * 3, ' ', $."),
        Row::reads("sprintf-pad", "zero-padded ids by sprintf", &[TABLE], "{ id = sprintf(\"%08d\", $1); print id \":\" $3 }")
            .perl(&["-lane"], "$id = sprintf '%08d', $F[0]; print \"$id:$F[2]\""),
        Row::computes("print-loop", "a million numbers printed", "BEGIN { for (i = 1; i <= @n:1000000@; i++) print i, i * 2 }")
            .perl(&["-e"], "for my $i (1 .. @n:1000000@) { print $i, ' ', $i * 2, \"\\n\" }")
            .python("import sys\nw = sys.stdout.write\nfor i in range(1, @n:1000000@ + 1): w(f'{i} {i * 2}\\n')"),
        Row::computes("printf-float", "half a million decimals by printf", "BEGIN { for (i = 1; i <= @n:500000@; i++) printf \"%.3f %e %g\\n\", i / 7, i / 3, i / 11 }")
            .perl(&["-e"], "for my $i (1 .. @n:500000@) { printf \"%.3f %e %g\\n\", $i / 7, $i / 3, $i / 11 }"),
    ]
}

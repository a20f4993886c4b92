#!/bin/sh
# One table of whole-file reading and writing: riverhawk-slurp beside std::fs, perl, python, ruby and raku.
#
#   bench/slurp/run.sh [DIRECTORY]
#
# Three passes over all of them, so that a slow minute of the machine falls on all; the fastest run counts. Each cell is the
# time in microseconds and, behind it, how many times that is what slurp takes for the same. What is not installed is left out:
# apt-get install perl libfile-slurp-perl libpath-tiny-perl python3 ruby rakudo
set -eu
here=$(cd "$(dirname "$0")" && pwd)
directory=$(mktemp -d "${1:-${TMPDIR:-/tmp}}/slurp-bench.XXXXXX")
trap 'rm -rf "$directory"' EXIT INT TERM
cd "$here/../.."
cargo build --quiet --release -p riverhawk-slurp --example slurp_speed
speed=${CARGO_TARGET_DIR:-target}/release/examples/slurp_speed
for pass in 1 2 3; do
    "$speed" --tsv "$directory" >>"$directory/results"
    for script in "perl perl.pl" "python3 python.py" "ruby ruby.rb" "raku raku.raku"; do
        set -- $script
        if command -v "$1" >/dev/null; then "$1" "$here/$2" "$directory" >>"$directory/results"; fi
    done
done
LC_ALL=C awk -F '\t' '
    {
        row = $2 FS $3
        if (!(row in seen)) { seen[row] = 1; rows[++count] = row; if (!($2 in group)) { group[$2] = 1; groups[++groupcount] = $2 } }
        if (!($1 in size)) { size[$1] = 1; sizes[++sizecount] = $1 }
        if (!((row, $1) in best) || $4 < best[row, $1]) best[row, $1] = $4
    }
    END {
        printf "%-26s %-24s", "microseconds (times slurp)", ""
        for (s = 1; s <= sizecount; s++) printf " %20s", sizes[s] " bytes"
        print ""
        for (g = 1; g <= groupcount; g++)
            for (r = 1; r <= count; r++) {
                split(rows[r], part, FS)
                if (part[1] != groups[g]) continue
                printf "%-26s %-24s", part[1], part[2]
                for (s = 1; s <= sizecount; s++) {
                    ours = best[part[1] FS "slurp", sizes[s]]
                    printf " %12.2f (%5.2f)", best[rows[r], sizes[s]] / 1000, best[rows[r], sizes[s]] / ours
                }
                print ""
            }
    }' "$directory/results"

//! What people run, in short.

use std::fmt::Write;
use std::fs;
use std::io;
use std::path::PathBuf;

/// Arguments of each run, the most ordinary first: what a run executes and none before it did comes after what those execute.
pub const ALL: &[&[&str]] = &[
    &["BEGIN {}"],
    &["BEGIN { printf \"%s %d\\n\", \"hello\", 42 }"],
    &["{ print $2; exit }", "INPUT"],
    &["{ n += length($0) } END { print n }", "INPUT"],
    &["/ab|yz/", "INPUT"],
    &["/a.*b.*c/ { print FNR, $1; nextfile }", "INPUT", "INPUT"],
    &["{ count[$1]++ } END { for (k in count) print k, count[k] }", "INPUT"],
    &["$3 > 500 { sum += $3 } END { print sum; printf \"%.2f %5d %-8s|\\n\", sum, NR, $1 }", "INPUT"],
    &["{ gsub(/[aeiou]/, \"<&>\"); sub(/x/, \"y\"); print }", "INPUT"],
    &["-F,", "-v", "column=2", "NR % 2 { print $column, NF; next } { $2 = \"x\"; print }", "INPUT"],
    &[
        "match($0, /[a-m]+/) { print substr($0, RSTART, RLENGTH), toupper($1), index($0, \"a\"), split($0, a, /,/) }",
        "INPUT",
    ],
    &["BEGIN { RS = \"\"; FS = \"\\n\" } { print NF }", "INPUT"],
    &["BEGIN { RS = \"[,\\n]\" } { n++ } END { print n, RT }", "INPUT"],
    &[
        "BEGIN { FS = \"[ ,]+\" } { s = s $3; t = $4 \"\" t } END { print length(s t); printf \"%c%x%e\\n\", 65, 255, 1.5 }",
        "INPUT",
    ],
    &[
        "function f(a, b) { return a > b ? a : b } { m = f(m, $3) } $1 ~ \"^k\" { print tolower($1) > \"/dev/null\" } END { print m }",
        "INPUT",
    ],
    &[
        "BEGIN { while ((getline line < ARGV[1]) > 0) n++; print n; \"echo x\" | getline y; print y | \"cat\" }",
        "INPUT",
    ],
    &[
        "{ print gensub(/(a)(b)/, \"\\\\2\\\\1\", \"g\") } END { n = asort(a); PROCINFO[\"sorted_in\"] = \"@ind_str_asc\"; for (k in ENVIRON) n++ }",
        "INPUT",
    ],
    &["--csv", "{ print $2 }", "INPUT"],
    // Last what the specialiser and the compiler behind it execute, which few programs run long enough for.
    &[
        "--spesh-blocking",
        "BEGIN { for (i = 0; i < 300000; i++) { s += i % 7; a[i] = s; t = substr(\"hello\", i % 3, 2) } print s, t, length(a) }",
    ],
    &[
        "--spesh-blocking",
        "function f(n) { return n < 2 ? n : f(n - 1) + f(n - 2) } BEGIN { print f(22); while ((getline l < ARGV[1]) > 0 || i++ < 60000) n += length(l); print n }",
        "INPUT",
    ],
];

/// Makes the input, 3,000 lines of words and numbers, and says where it is.
///
/// # Errors
/// When it cannot be written.
pub fn input() -> io::Result<PathBuf> {
    let path = std::env::temp_dir().join(format!("first-code.{}", std::process::id()));
    let mut text = String::new();
    for line in 0..3000_u32 {
        let key = line * 7919 % 101;
        let _ =
            writeln!(text, "key{key} abcx,yz {} {}.{key} \"the rest\", of line {line}", line * 31 % 1000, line % 13);
        if line % 10 == 9 {
            text.push('\n');
        }
    }
    fs::write(&path, text)?;
    Ok(path)
}

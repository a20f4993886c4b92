//! Answers that depend on the locale, compared with gawk's: order under `--posix`, classes and
//! ranges, case, `%c` and widths.
//!
//! Only where gawk and the locales are installed.

use riverhawk_tests::build::rhawk;
use riverhawk_tests::oracle;
use std::process::{Command, Stdio};

fn run(awk: &str, locale: &str, args: &[&str], program: &str) -> Option<(Vec<u8>, Option<i32>)> {
    let mut command = Command::new(awk);
    command.args(args).arg(program).env("LC_ALL", locale).stdin(Stdio::null());
    let output = command.output().ok()?;
    Some((output.stdout, output.status.code()))
}

/// Whether the C library knows the locale: gawk counts a character as one.
fn is_installed(locale: &str) -> bool {
    locale == "C"
        || run("gawk", locale, &[], "BEGIN { exit length(\"é\") != 1 }")
            .is_some_and(|(_, status)| status == Some(0))
}

#[track_caller]
fn check(rows: &[(&str, &[&str], &str)]) {
    if oracle::gawk().is_none() {
        return;
    }
    let rhawk = rhawk();
    let rhawk = rhawk.to_str().expect("a path");
    for (locale, args, program) in rows {
        if !is_installed(locale) {
            continue;
        }
        let Some(theirs) = run("gawk", locale, args, program) else { return };
        let ours = run(rhawk, locale, args, program).expect("rhawk runs");
        assert_eq!(ours, theirs, "{locale} {args:?} {program}");
    }
}

const P: &[&str] = &["--posix"];
const NONE: &[&str] = &[];

#[test]
fn under_posix_texts_are_in_the_locales_order() {
    const ORDERS: &str = r#"BEGIN { print ("a" < "B"), ("A" < "b"), ("a" < "A"), ("é" < "f"), ("Z" < "a"), ("z" > "B") }"#;
    const WORDS: &str = r#"BEGIN { print ("a b" < "ab"), ("a-b" < "ab"), ("co-op" < "coop"), ("resume" < "résumé"), ("abc" <= "ABC"), ("abc" >= "ABC") }"#;
    const UMLAUTS: &str = r#"BEGIN { print ("ä" < "b"), ("z" < "ä"), ("Ö" < "p"), ("ö" < "z") }"#;
    let locales =
        ["en_US.UTF-8", "de_DE.UTF-8", "sv_SE.UTF-8", "fr_FR.UTF-8", "ja_JP.UTF-8", "C.UTF-8", "C"];
    for locale in locales {
        for program in [ORDERS, WORDS, UMLAUTS] {
            check(&[
                (locale, P, program),
                (locale, NONE, program),
                (locale, &["--traditional"], program),
            ]);
            check(&[(locale, &["-M", "--posix"], program), (locale, &["-M"], program)]);
        }
    }
}

#[test]
fn under_posix_equality_and_numbers_know_no_locale() {
    check(&[
        ("en_US.UTF-8", P, r#"BEGIN { print "a" == "A", "a" != "A", "é" == "e", "ab" == "ab" }"#),
        ("en_US.UTF-8", P, r#"BEGIN { print 10 < 9, "10" < "9", "10" < 9, x < 1, x < "a" }"#),
        ("en_US.UTF-8", P, r#"BEGIN { print "a\0b" < "a\0a", "a" < "a\0", "" < "a" }"#),
        (
            "en_US.UTF-8",
            P,
            r#"BEGIN { while (i++ < 3) { if ("b" < "A") n++; if ("a" < "B") m++ } print n + 0, m }"#,
        ),
    ]);
}

#[test]
fn classes_and_ranges_go_by_characters_in_utf_8_and_by_bytes_in_c() {
    let programs = [
        r#"BEGIN { print ("B" ~ /[a-z]/), ("b" ~ /[A-Z]/), ("é" ~ /[a-z]/), ("é" ~ /[à-ü]/), ("ÿ" ~ /[à-ü]/) }"#,
        r#"BEGIN { print ("é" ~ /^..$/), ("日" ~ /[一-龥]/) }"#,
        r#"BEGIN { print ("é" ~ /[[:alpha:]]/), ("É" ~ /[[:upper:]]/), ("é" ~ /[[:lower:]]/), ("٣" ~ /[[:digit:]]/) }"#,
        r#"BEGIN { print ("日" ~ /[[:alpha:]]/), ("\302\240" ~ /[[:space:]]/), ("\343\200\200" ~ /[[:blank:]]/), ("€" ~ /[[:graph:]]/) }"#,
        r#"BEGIN { print ("—" ~ /[[:punct:]]/), ("€" ~ /[[:punct:]]/), ("😀" ~ /[[:print:]]/), ("Ⅷ" ~ /[[:alpha:]]/), ("ª" ~ /[[:alpha:]]/) }"#,
        r#"BEGIN { print "é" ~ /\w/, "日" ~ /\w/, "€" ~ /\w/, "é" ~ /\W/, "a é" ~ /\<é/ }"#,
        r#"BEGIN { print "x\303\251y" ~ /x[é]y/, "x\351y" ~ /x[é]y/, "é" ~ /[^a]/, "é" ~ /^[^a]$/, "ééé" ~ /^(é){3}$/ }"#,
    ];
    check(&[("C", NONE, r#"BEGIN { print ("\351" ~ /[\340-\374]/), ("\351" ~ /[[:alpha:]]/) }"#)]);
    for program in programs {
        for locale in ["en_US.UTF-8", "C.UTF-8", "C"] {
            check(&[(locale, NONE, program)]);
        }
        check(&[("en_US.UTF-8", P, program), ("en_US.UTF-8", &["-b"], program)]);
    }
}

#[test]
fn case_and_formats_go_by_characters_in_utf_8_and_by_bytes_in_c() {
    let programs = [
        r#"BEGIN { print toupper("ß"), toupper("éñü"), tolower("ÉÑÜ"), toupper("ŉ"), toupper("ǆ"), tolower("ǅ"), toupper("ﬁ") }"#,
        r#"BEGIN { print tolower("ẞ"), toupper("ς"), tolower("Σ"), toupper("straße"), length(toupper("straße")), tolower("İ") }"#,
        r#"BEGIN { IGNORECASE = 1; print "É" ~ /é/, "É" == "é", "É" ~ /[é]/, "É" ~ /[à-ü]/, index("xÉ", "é"), "ÀB" == "àb" }"#,
        r#"BEGIN { IGNORECASE = 1; print split("aÉbéc", p, "é"), p[2]; FS = "É"; $0 = "aébÉc"; print NF; print gsub(/É/, "x"), $0 }"#,
        r#"BEGIN { printf "%c|%c|%c|%c\n", 256, 233, 8364, 128512 }"#,
        r#"BEGIN { printf "%c|%c|%c\n", 65, 321, -1 }"#,
        r#"BEGIN { printf "%c|%c|%c\n", "", "é", "日本" }"#,
        r#"BEGIN { printf "%c|%c\n", 55296, 1114112 }"#,
        r#"BEGIN { printf "%5s|%-5s|%.2s|%5.1s|\n", "é", "é", "日本語", "日本" }"#,
        r#"BEGIN { printf "%5s|%5s|%3s|%*s|\n", "日本", "e\314\201", "😀", 4, "é" }"#,
        r#"BEGIN { x = "a\377b\376c"; print length(x), substr(x, 2, 1), substr(x, 3, 1), index(x, "b") }"#,
        r#"BEGIN { print match("aé\377b", /b/), RSTART, RLENGTH, match("日本", /本/), RSTART, RLENGTH }"#,
        r#"BEGIN { n = split("é日", p, ""); print n, p[1]; FS = ""; $0 = "aé日"; print NF, $2 }"#,
        r#"BEGIN { FIELDWIDTHS = "1 1 2"; $0 = "é日ab"; print $1, $2; FPAT = "é+"; $0 = "aééb é"; print NF, $1 }"#,
        r#"BEGIN { print "日" < "本", "é" < "z", "\377" > "日", "Z" < "é" }"#,
        r#"BEGIN { a[1] = "é"; a[2] = "f"; a[3] = "e"; a[4] = "Z"; n = asort(a); for (i = 1; i <= n; i++) printf "%s ", a[i] }"#,
        r#"BEGIN { x = "日本語"; gsub(/./, "<&>", x); print x; print gensub(/(é)/, "[\\1]", 1, "aé") }"#,
    ];
    for program in programs {
        check(&[("en_US.UTF-8", NONE, program), ("C.UTF-8", NONE, program), ("C", NONE, program)]);
    }
}

//! Input and output in other encodings, line endings, graphemes.

use riverhawk_tests::shell::Shell;

/// Expects this output, status 0 and no message.
#[track_caller]
fn prints(rows: &[(&str, &str)]) {
    let shell = Shell::new()
        .with_file("latin1", b"caf\xe9 2\nna\xefve 3\n")
        .with_file("utf8", "café 2\nnaïve 3\n")
        .with_file("broken", b"caf\xe9 2\n");
    for (script, stdout) in rows {
        let ran = shell.run(&script.replace("rhawk ", "\"$RHAWK\" "));
        assert_eq!(
            (ran.stdout.as_str(), ran.stderr.as_str(), ran.status),
            (*stdout, "", 0),
            "{script}"
        );
    }
}

/// Expects words of the message, status 2, and the output before it.
#[track_caller]
fn fails(rows: &[(&str, &str, &str)]) {
    let shell = Shell::new().with_file("latin1", b"one 1\ntwo 2\ncaf\xe9 2\n");
    for (script, stdout, words) in rows {
        let ran = shell.run(&script.replace("rhawk ", "\"$RHAWK\" "));
        assert!(
            ran.stderr.contains(words),
            "{script}\n--- says:\n{}\n--- and should say:\n{words}",
            ran.stderr
        );
        assert_eq!((ran.stdout.as_str(), ran.status), (*stdout, 2), "{script}");
    }
}

#[test]
fn input_is_decoded_by_option_by_variable_and_by_operand() {
    let both = "café 4\nnaïve 5\n";
    prints(&[
        ("rhawk --encoding=latin1 '{ print $1, length($1) }' latin1", both),
        ("rhawk -v ENCODING=ISO_8859-1 '{ print $1, length($1) }' latin1", both),
        ("rhawk 'BEGIN { ENCODING = \"l1\" } { print $1, length($1) }' latin1", both),
        ("rhawk --encoding=latin1 '{ print $1, length($1) }' < latin1", both),
        ("cat latin1 | rhawk --encoding=latin1 '{ print $1, length($1) }' -", both),
        (
            "rhawk '{ n += length($1) } END { print n, ENCODING }' ENCODING=latin1 latin1 ENCODING=utf-8 utf8",
            "18 utf-8\n",
        ),
        (
            "rhawk --encoding latin1 'BEGIN { while ((getline l < \"latin1\") > 0) print length(l) }'",
            "6\n7\n",
        ),
        // `--encoding` does not apply to commands.
        (
            "rhawk --encoding=utf-16 'BEGIN { \"cat utf8\" | getline; print $1; print \"x\" | \"cat\" }'",
            "café\nx\n",
        ),
        ("rhawk 'BEGIN { print ENCODING \"|\" }'", "|\n"),
        // A program may have such a variable for itself.
        (
            "rhawk 'BEGIN { ENCODING = \"BASE64\" } { print $1, length($1), ENCODING }' utf8",
            "café 4 BASE64\nnaïve 5 BASE64\n",
        ),
        (
            "rhawk --encoding=latin1 'BEGIN { ENCODING = 8 } { print $1, ENCODING }' latin1",
            "café 8\nnaïve 8\n",
        ),
    ]);
}

#[test]
fn without_an_encoding_no_byte_is_changed() {
    prints(&[
        ("rhawk 1 latin1 | cmp - latin1 && echo same", "same\n"),
        ("rhawk --encoding=utf-8 1 broken | cmp - broken && echo same", "same\n"),
        ("rhawk --encoding=utf-8-c8 1 broken | wc -l", "1\n"),
    ]);
}

#[test]
fn output_is_encoded_files_too_and_a_byte_order_mark_is_written_once() {
    prints(&[
        ("rhawk --output-encoding=latin1 1 utf8 | cmp - latin1 && echo same", "same\n"),
        (
            "rhawk --encoding=latin1 --output-encoding=latin1 1 latin1 | cmp - latin1 && echo same",
            "same\n",
        ),
        (
            "rhawk --output-encoding=latin1 '{ print > \"out\" }' utf8; cmp out latin1 && echo same",
            "same\n",
        ),
        (
            "rhawk --output-encoding=utf-16 1 utf8 | rhawk --encoding=utf-16 1 | cmp - utf8 && echo same",
            "same\n",
        ),
        (
            "for i in 1 2; do rhawk --output-encoding=utf-16 'BEGIN { print \"é\" >> \"log\" }'; done; rhawk --encoding=utf-16 '{ print length }' log",
            "1\n1\n",
        ),
        ("rhawk --output-encoding=utf-16be 'BEGIN { printf \"é\" }' | od -An -tx1", " 00 e9\n"),
        ("rhawk --output-encoding=ascii:replace 'BEGIN { print \"é€\" }'", "??\n"),
        // A character that a flush cuts in two arrives complete.
        (
            "rhawk --output-encoding=latin1 'BEGIN { printf \"\\303\"; fflush(); printf \"\\251\" }' | od -An -tx1",
            " e9\n",
        ),
        ("rhawk --output-encoding=latin1 'BEGIN { print \"é\" | \"cat\" }'", "é\n"),
        // Descriptors from the shell are files too; a mark counts only at the beginning of a file.
        (
            "rhawk --output-encoding=latin1 'BEGIN { print \"é\" > \"/dev/fd/3\" }' 3> fd3; od -An -tx1 fd3",
            " e9 0a\n",
        ),
        (
            "for i in 1 2; do rhawk --output-encoding=utf-16 'BEGIN { print \"é\" }' >> shell; done; rhawk --encoding=utf-16 '{ print length }' shell",
            "1\n1\n",
        ),
        (
            "{ rhawk --output-encoding=utf-16 'BEGIN { print \"é\" }'; rhawk --output-encoding=utf-16 'BEGIN { print \"é\" }'; } > both; rhawk --encoding=utf-16 '{ print length }' both",
            "1\n1\n",
        ),
    ]);
}

#[test]
fn a_character_cut_by_a_read_arrives_whole() {
    let script = "rhawk --output-encoding=utf-16le 'BEGIN { for (i = 0; i < 70000; i++) printf \"%s\", i % 9 ? \"é\" : \"🦅\" }' > big
        for size in 1 3 4096 262144; do rhawk --encoding=utf-16le --window-size=$size '{ print length }' big; done";
    prints(&[(script, "70000\n70000\n70000\n70000\n")]);
}

#[test]
fn what_cannot_be_decoded_or_encoded_is_an_error_unless_a_policy_says_otherwise() {
    fails(&[
        (
            "rhawk --encoding=ascii '{ print $1 }' latin1",
            "one\ntwo\n",
            "latin1 any further, after record 2: ascii: undecodable bytes E9 at line 3, column 4",
        ),
        (
            "rhawk --output-encoding=ascii 'BEGIN { print \"a\"; print \"é\" }'",
            "a\n",
            "ascii: cannot encode U+00E9",
        ),
        (
            "printf '\\377\\376a' | rhawk --encoding=utf-16 1",
            "",
            "standard input any further, after record 0: utf-16",
        ),
        (
            "rhawk --encoding=latn1 1 latin1",
            "",
            "there is no encoding \"latn1\"; did you mean \"latin1\"?",
        ),
        (
            "rhawk --encoding=ascii:lenient 1 latin1",
            "",
            "there is no policy \"lenient\"; there are strict, replace, permissive",
        ),
        (
            "rhawk --output-encoding=nothing 1 latin1",
            "",
            "the output's encoding: there is no encoding \"nothing\"",
        ),
        ("rhawk 1 ENCODING=latn1 latin1", "", "there is no encoding \"latn1\""),
    ]);
    prints(&[
        ("rhawk --encoding=ascii:replace '{ print $1 }' latin1", "caf?\nna?ve\n"),
        ("rhawk --encoding=ascii:permissive '{ print $1 }' latin1", "café\nnaïve\n"),
        // getline returns -1 for a file that cannot be read on.
        ("rhawk --encoding=ascii 'BEGIN { print (getline l < \"latin1\") }'", "-1\n"),
    ]);
}

#[test]
fn a_full_device_is_told_of_through_an_encoder_too() {
    let ran =
        Shell::new().run("\"$RHAWK\" --output-encoding=utf-16 'BEGIN { print 1 }' > /dev/full");
    ran.assert_says(&["no space left"], 2);
}

#[test]
fn line_endings() {
    prints(&[
        (
            "printf 'a\\rb\\r\\nc\\nd\\r' | rhawk --line-ending=any '{ print NR \":\" $0 }'",
            "1:a\n2:b\n3:c\n4:d\n",
        ),
        (
            "printf 'a\\nb\\r\\nc\\r\\n' | rhawk --line-ending=crlf '{ print NR \":\" $0 }'",
            "1:a\nb\r\n2:c\r\n",
        ),
        ("printf 'a\\r\\n' | rhawk --line-ending=lf '{ print length }'", "2\n"),
        // The program and -v take precedence.
        ("printf 'a;b' | rhawk --line-ending=crlf -v RS=';' '{ print }'", "a\r\nb\r\n"),
    ]);
    let ran = Shell::new().run("\"$RHAWK\" --line-ending=cr 1");
    ran.assert_says(&["--line-ending needs lf or crlf or any, not 'cr'"], 1);
}

#[test]
fn graphemes_are_counted_everywhere_that_characters_are() {
    prints(&[
        (
            "printf 'e\\314\\201a\\n' | rhawk --graphemes '{ print length, length($0 \"\"), substr($0, 2) }'",
            "2 2 a\n",
        ),
        (
            "rhawk --graphemes 'BEGIN { s = \"👨‍👩‍👧x🇩🇪\"; print length(s), index(s, \"x\"), substr(s, 3), match(s, /x/), RLENGTH }'",
            "3 2 🇩🇪 2 1\n",
        ),
        (
            "rhawk --graphemes 'BEGIN { n = split(\"e\u{301}👨‍👩‍👧\\r\\nz\", a, \"\"); print n, a[1], a[2], a[4] }'",
            "4 e\u{301} 👨‍👩‍👧 z\n",
        ),
        (
            "rhawk --graphemes 'BEGIN { printf \"[%3s][%-3s][%.1s]\\n\", \"e\u{301}\", \"e\u{301}\", \"e\u{301}x\" }'",
            "[  e\u{301}][e\u{301}  ][e\u{301}]\n",
        ),
        (
            "rhawk --graphemes 'BEGIN { print toupper(\"e\u{301}ß\"), tolower(\"É\") }'",
            "E\u{301}SS é\n",
        ),
        // CR LF is one character, in ASCII too, as a string and as a record.
        (
            "rhawk --graphemes 'BEGIN { print length(\"a\\r\\nb\"), length(\"aaaaaaaaaaaaaaaaaaaaaa\\r\\nb\"), substr(\"a\\r\\nb\", 3) }'",
            "3 24 b\n",
        ),
        ("printf 'a\\r\\nb;' | rhawk --graphemes -v RS=';' '{ print length }'", "3\n"),
        // A broken byte counts as one and passes through.
        (
            "printf 'e\\314\\377x\\n' | rhawk --graphemes '{ print length; print }' | od -An -c",
            "   4  \\n   e 314 377   x  \\n\n",
        ),
        ("printf 'e\\314\\201\\n' | rhawk '{ print length }'", "2\n"),
    ]);
    let ran = Shell::new().run("\"$RHAWK\" -b --graphemes 1");
    ran.assert_says(&["-b and --graphemes exclude each other"], 1);
}

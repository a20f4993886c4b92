//! Input of every kind: directories and devices, files that cannot be read, huge records and
//! fields.

use riverhawk_tests::shell::Shell;

#[test]
fn a_fifo_is_read_to_its_end() {
    let shell = Shell::new();
    shell
        .run(r#"mkfifo p; printf 'a\nb' > p & "$RHAWK" '{ print NR, $0 }' p"#)
        .assert_prints("1 a\n2 b\n");
}

#[test]
fn a_file_of_proc_that_claims_to_be_empty_is_read_to_its_end() {
    let ran = Shell::new()
        .run(r#"cat /proc/version > v; "$RHAWK" 1 /proc/version | cmp - v && wc -c < v"#);
    assert!(ran.status == 0 && ran.stdout.trim() != "0", "{ran:?}");
    // More than one page, and produced a page at a time.
    let ran =
        Shell::new().run(r#""$RHAWK" 'END { print NR }' /proc/kallsyms; wc -l < /proc/kallsyms"#);
    let counts: Vec<&str> = ran.stdout.split_whitespace().collect();
    assert!(counts.len() == 2 && counts[0] == counts[1], "{ran:?}");
}

#[test]
fn a_closed_standard_input_is_an_error_under_each_of_its_names() {
    let shell = Shell::new();
    let run = |program: &str| shell.run(&format!(r#""$RHAWK" '{program}' <&-"#));
    run(r#"BEGIN { print (getline x < "-"), (getline x < "/dev/stdin"), ERRNO }"#)
        .assert_prints("-1 -1 Bad file descriptor\n");
    run(r#"BEGIN { print (getline x), (getline x < "-"), ERRNO }"#)
        .assert_prints("-1 -1 Bad file descriptor\n");
    // The end seen by getline is not the end of the main input.
    let ran = run(r#"BEGIN { getline x < "-" } END { print NR }"#);
    assert_eq!((ran.stdout.as_str(), ran.status), ("", 2), "{ran:?}");
    shell.run(r#""$RHAWK" -f /dev/stdin <&-"#).assert_says(&["cannot read program file"], 1);
}

#[test]
fn a_directory_is_reported_and_the_others_are_read() {
    let shell = Shell::new().with_file("a", "1\n").with_file("b", "2\n");
    let ran = shell.run(r#"mkdir d; "$RHAWK" '{ print } END { print "end" }' a d b"#);
    assert_eq!(ran.stdout, "1\n2\nend\n", "{ran:?}");
    ran.assert_says(&["directory"], 0);
    assert!(ran.stderr.contains('d'));
}

#[test]
fn a_missing_file_ends_the_run_after_what_came_before_it() {
    let shell = Shell::new().with_file("a", "1\n").with_file("b", "2\n");
    let ran = shell.run(r#""$RHAWK" '{ print } END { print "end" }' a no-such-file b"#);
    assert_eq!(ran.stdout, "1\n", "{ran:?}");
    ran.assert_says(&["no-such-file"], 2);
}

#[test]
fn a_file_without_permission_is_named() {
    let shell = Shell::new().with_file("secret", "1\n");
    if shell.run("chmod 0 secret; cat secret").status == 0 {
        eprintln!("not tested: this user may read everything");
        return;
    }
    shell.run(r#""$RHAWK" 1 secret"#).assert_says(&["secret"], 2);
}

#[test]
fn a_file_of_odd_bytes_comes_out_as_it_went_in() {
    let odd: Vec<u8> =
        (0..=255u8).cycle().take(100_000).chain(*b"\r\n\xff\xc3 no newline at the end").collect();
    let shell = Shell::new().with_file("odd", &odd);
    shell.run(r#"{ cat odd; echo; } > want; "$RHAWK" 1 odd | cmp - want"#).assert_prints("");
    shell.run(r#""$RHAWK" -v ORS= '{ print $0 RT }' odd | cmp - odd"#).assert_prints("");
    shell.run(r#""$RHAWK" -v RS='\0' -v ORS= '{ print $0 RT }' odd | cmp - odd"#).assert_prints("");
    shell
        .run(r#""$RHAWK" -v RS='[\n\r]+' -v ORS= '{ print $0 RT }' odd | cmp - odd"#)
        .assert_prints("");
    shell.run(
        r#"cat odd | "$RHAWK" -v RS= -v ORS= '{ n += length($0 RT) } END { print (n > 0) }'; : "#,
    );
}

/// 256 MiB, or 1 GiB when `RIVERHAWK_LARGE` is set.
fn large() -> u64 {
    if std::env::var_os("RIVERHAWK_LARGE").is_some() { 1 << 30 } else { 1 << 28 }
}

#[test]
fn a_record_of_hundreds_of_megabytes_is_one_record() {
    let n = large();
    let ran = Shell::new().run(&format!(
        r#"head -c {n} /dev/zero | tr '\0' a | "$RHAWK" '{{ print NR, length($0) }}'"#
    ));
    ran.assert_prints(&format!("1 {n}\n"));
}

#[test]
fn a_large_record_between_small_ones_keeps_them_apart() {
    let n = large() / 8;
    let script = format!(
        r#"{{ echo first; head -c {n} /dev/zero | tr '\0' b; echo; echo last; }} | "$RHAWK" '{{ print length($0), substr($0, 1, 1) }}'"#
    );
    Shell::new().run(&script).assert_prints(&format!("5 f\n{n} b\n4 l\n"));
}

#[test]
fn two_million_fields_are_counted_read_and_changed() {
    let ran = Shell::new().run(
        r#"yes ab | head -n 2000000 | tr '\n' ' ' | "$RHAWK" '{ print NF, $1, $1000000, $2000000; $1000000 = "x"; NF--
            print NF, length($0), substr($0, 2999996, 8) }'"#,
    );
    ran.assert_prints("2000000 ab ab ab\n1999999 5999995 b x ab a\n");
}

#[test]
fn two_million_short_records_are_counted() {
    let ran = Shell::new().run(r#"yes | head -n 2000000 | "$RHAWK" 'END { print NR, $0 }'"#);
    ran.assert_prints("2000000 y\n");
}

#[test]
fn more_output_files_than_descriptors_lose_nothing_or_are_an_error() {
    let shell = Shell::new();
    let ran = shell.run(
        r#"ulimit -n 16; "$RHAWK" 'BEGIN { for (j = 0; j < 2; j++) for (i = 0; i < 40; i++) print i, j > ("f" i) }'"#,
    );
    if ran.status == 0 {
        for i in 0..40 {
            assert_eq!(shell.content(&format!("f{i}")), format!("{i} 0\n{i} 1\n"));
        }
    } else {
        ran.assert_says(&["too many open files"], 2);
        assert_eq!(shell.content("f0"), "0 0\n", "what was printed before the error");
    }
}

#[test]
fn an_operand_that_finds_no_descriptor_is_named() {
    let shell = Shell::new().with_file("operand", "a\n").with_file("other", "b\n");
    let ran = shell.run(
        r#"for i in 1 2 3 4 5 6 7 8; do cp other o$i; done
        ulimit -n 6; "$RHAWK" 'BEGIN { for (i = 1; i <= 8; i++) getline x < ("o" i) } { print }' operand"#,
    );
    if ran.status == 0 {
        ran.assert_prints("a\n");
    } else {
        ran.assert_says(&["open files"], 2);
        assert!(ran.stderr.contains("operand"), "{ran:?}");
    }
}

#[test]
fn commands_that_find_no_descriptor_are_an_error_and_no_crash() {
    let ran = Shell::new().run(
        r#"ulimit -n 12; "$RHAWK" 'BEGIN { for (i = 0; i < 30; i++) { r = (("echo " i) | getline x); if (r < 1) exit 3 } print x }'"#,
    );
    assert!(ran.status < 128 && (ran.status != 0 || ran.stdout == "29\n"), "{ran:?}");
}

#[test]
fn reading_goes_on_after_the_process_was_stopped() {
    let ran = Shell::new().run(
        r#"mkfifo in; "$RHAWK" '{ print NR, $0 }' < in > out & awk=$!
        exec 3> in; echo a >&3; kill -STOP $awk; echo b >&3; kill -CONT $awk; echo c >&3; exec 3>&-; wait $awk; echo $?; cat out"#,
    );
    ran.assert_prints("0\n1 a\n2 b\n3 c\n");
}

#[test]
fn a_command_that_cannot_be_read_for_want_of_descriptors_is_an_error() {
    let ran = Shell::new().run(
        r#"ulimit -n 12; "$RHAWK" 'BEGIN { for (i = 0; i < 50; i++) if (("echo " i "; cat /dev/null" | getline x) < 1) exit }'"#,
    );
    ran.assert_says(&["cat /dev/null\" for reading: Too many open files"], 2);
}

#[test]
fn a_directory_as_the_standard_input_has_no_records() {
    let ran = Shell::new().run(r#""$RHAWK" '{ print }' < /"#);
    assert!(ran.stdout.is_empty() && ran.stderr.contains("irectory"), "{ran:?}");
}

//! `file::slurp` reads into the string of its target, unless that is shared.

use riverhawk_tests::shell::Shell;

#[test]
fn slurping_into_a_variable_changes_no_copy_of_what_it_held() {
    let shell = Shell::new()
        .with_file("long", "text\n".repeat(5000))
        .with_file("short", "a few bytes more than fifteen\n");
    let program = r#"
        a = file::slurp("long"); b = a; element["x"] = a
        a = file::slurp("short")
        print length(a), length(b), length(element["x"])
        a = file::slurp("long"); print length(a), a == b
        name = "short"; path = name; name = file::slurp(name)
        print length(name), path"#;
    shell
        .run(&format!("\"$RHAWK\" 'BEGIN {{ {program} }}'"))
        .assert_prints("30 25000 25000\n25000 1\n30 short\n");
}

#[test]
fn a_slurp_that_fails_or_finds_nothing_leaves_nothing_of_what_was_there() {
    let shell = Shell::new().with_file("long", "text\n".repeat(5000)).with_file("empty", "");
    let program = r#"
        a = file::slurp("long"); a = file::slurp("empty"); print length(a), "<" ERRNO ">"
        a = file::slurp("long"); a = file::slurp("missing"); print length(a), ERRNO
        a = file::slurp("long"); a = file::slurp("."); print length(a), ERRNO
        a = file::slurp("/proc/self/status"); print (a ~ /^Name:.*Threads:/)"#;
    shell
        .run(&format!("\"$RHAWK\" 'BEGIN {{ {program} }}'"))
        .assert_prints("0 <>\n0 No such file or directory\n0 Is a directory\n1\n");
}

#[test]
fn a_file_that_memory_cannot_hold_is_an_error_and_no_abort() {
    let shell = Shell::new();
    let ran = shell
        .run(r#"truncate -s 7T huge || exit 7; "$RHAWK" 'BEGIN { a = file::slurp("huge"); print length(a), ERRNO }'"#);
    // Not every file system has files of that size.
    assert!(ran.status == 7 || ran.stdout == "0 the file does not fit into memory\n", "{ran:?}");
}

#[test]
fn text_of_other_encodings_comes_out_whole_however_long_its_records_are() {
    // A window is 256 KiB and a read 64: lines of one byte, of a few hundred, and one that fills
    // several windows.
    let shell = Shell::new();
    let make = r#""$RHAWK" 'BEGIN { for (n = 1; n < 900; n++) { s = s "é" (n % 7 ? "a" : "ß"); print s }
        t = s s s s; for (n = 0; n < 9; n++) t = t t; print t; print "é"; printf "%s", s }' > utf8"#;
    assert_eq!(shell.run(make).status, 0);
    for encoding in
        ["latin1", "windows-1252", "utf-16le", "utf-16", "utf-16be", "iso-8859-15", "gb18030"]
    {
        let script = format!(
            r#""$RHAWK" --output-encoding={encoding} 'BEGIN {{ ORS = "" }} {{ print $0 RT }}' utf8 > other &&
               "$RHAWK" --encoding={encoding} 'BEGIN {{ ORS = "" }} {{ print $0 RT }}' other | cmp - utf8 && echo same"#
        );
        shell.run(&script).assert_prints("same\n");
    }
}

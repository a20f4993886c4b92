//! Editing in place: the file is replaced whole or not at all, with all its attributes.

use riverhawk_tests::shell::Shell;

fn shell() -> Shell {
    Shell::new().with_file("a", "one\ntwo\nthree\n").with_file("b", "1,2\n").with_file("c", "x\n")
}

#[track_caller]
fn prints(script: &str, stdout: &str) {
    says(script, stdout, "", 0);
}

/// `words` are part of the message.
#[track_caller]
fn says(script: &str, stdout: &str, words: &str, status: i32) {
    let ran = shell().run(&script.replace("rhawk ", "\"$RHAWK\" "));
    assert_eq!((ran.stdout.as_str(), ran.status), (stdout, status), "{script}\n{}", ran.stderr);
    assert!(
        ran.stderr.contains(words) && ran.stderr.is_empty() == words.is_empty(),
        "{script}\n{}",
        ran.stderr
    );
}

#[test]
fn each_file_becomes_what_was_printed_while_it_was_read() {
    prints(
        "rhawk --in-place '{ print toupper($0) } END { print \"end\" }' a b; cat a b",
        "end\nONE\nTWO\nTHREE\n1,2\n",
    );
    prints(
        "rhawk --in-place 'BEGIN { print \"begin\" } FNR == 1 { printf \"%s;\", FILENAME }' a c; cat a c",
        "begin\na;c;",
    );
    prints(
        "rhawk --in-place '{ print $1 > \"/dev/stdout\"; print \"side\" > \"d\" }' c; cat c d",
        "x\nside\n",
    );
    prints("rhawk --in-place 'NR == 2 { nextfile } { print \"-\" $0 }' a; cat a", "-one\n");
    prints("rhawk --in-place '{ print 1; print 2 | \"cat\" }' c; cat c", "2\n1\n");
    prints(
        "rhawk --in-place '{ print 1; system(\"echo 2; echo e >&2\"); print 3 } END { system(\"echo end\") }' c 2>d; cat c d",
        "end\n1\n2\n3\ne\n",
    );
    prints("rhawk --in-place --allow-empty '/none/' a; wc -c < a | tr -d ' '", "0\n");
}

/// A program that prints nothing keeps the file.
#[test]
fn a_file_is_not_emptied_unless_that_is_asked_for() {
    let nothing = "nothing was printed while it was read (--allow-empty permits an empty file); the file is unchanged";
    says("rhawk --in-place '{ n++ }' c; s=$?; cat c; ls -A; exit $s", "x\na\nb\nc\n", nothing, 2);
    says("rhawk -i inplace '{ n++ }' c; s=$?; cat c; exit $s", "x\n", nothing, 2);
    says(
        "gzip c; rhawk --in-place '{ n++ }' c.gz; s=$?; gzip -dc c.gz; exit $s",
        "x\n",
        nothing,
        2,
    );
    says(
        "rhawk --in-place --output-encoding=utf-16 '{ n++ }' c; s=$?; cat c; exit $s",
        "x\n",
        nothing,
        2,
    );
    // The header alone is not a table either.
    let header = "printf 'id,n\n1,2\n' > t; rhawk --csv --keep-header --output-csv --in-place";
    says(&format!("{header} '{{ n++ }}' t; s=$?; cat t; exit $s"), "id,n\n1,2\n", nothing, 2);
    prints(&format!("{header} --allow-empty '{{ n++ }}' t; cat t"), "id,n\n");
    prints(": > e; rhawk --in-place '{ n++ }' e; echo $?", "0\n");
    prints("rhawk --in-place '{ system(\"echo command\") }' c; cat c", "command\n");
}

#[test]
fn the_habits_of_sed_and_perl_are_told_what_to_say() {
    says(
        "rhawk -i.bak 1 c",
        "",
        "to edit files in place and keep the old ones, use --in-place=.bak",
        2,
    );
    says(
        "rhawk -i .bak 1 c",
        "",
        "to edit files in place and keep the old ones, use --in-place=.bak",
        2,
    );
    says(
        "rhawk --in-place .bak 1 c",
        "",
        "--in-place takes its suffix in the same word: --in-place=.bak",
        1,
    );
    says(
        "rhawk --in-place '~' 1 c",
        "",
        "--in-place takes its suffix in the same word: --in-place=~",
        1,
    );
    prints("rhawk --in-place '.5 { print 2 }' c; cat c", "2\n");
}

#[test]
fn one_file_that_fails_does_not_stop_the_others() {
    let script = "for i in $(seq 50); do echo old > f$i; done; mv f7 saved; mkdir d
         (echo x; seq 9999) | gzip | head -c 1000 > f9; cp f9 f9.as
         rhawk --in-place '{ print \"new\"; if (FILENAME == \"f11\") nextfile }' $(for i in $(seq 50); do echo f$i; done); s=$?
         grep -alx new f[0-9] f[0-9][0-9] 2> /dev/null | wc -l | tr -d ' '; cmp f9 f9.as; ls -A | grep -c riverhawk; exit $s";
    let ran = shell().run(&script.replace("rhawk ", "\"$RHAWK\" "));
    assert_eq!((ran.stdout.as_str(), ran.status), ("48\n0\n", 2), "{ran:?}");
    let lines: Vec<&str> = ran.stderr.lines().collect();
    assert_eq!(lines[0], "rhawk: error: cannot open \"f7\" for reading: No such file or directory");
    assert!(
        lines[1].starts_with("rhawk: error: cannot read f9 any further, after record "),
        "{ran:?}"
    );
    assert!(lines[1].ends_with(": the gzip data ends too soon; the file is unchanged"), "{ran:?}");
    assert_eq!(lines[2..], ["rhawk: error: in place: 48 edited, 0 unchanged, 2 failed"]);
    says(
        "rhawk --in-place '{ print toupper($0) }' missing c a; s=$?; cat c a; exit $s",
        "X\nONE\nTWO\nTHREE\n",
        "2 edited",
        2,
    );
    // Rows that --strict refuses; a file that cannot be opened is left to BEGINFILE.
    says(
        "printf 'a,b\n1\n' > t; rhawk --csv --strict --in-place '{ print \"x\" }' t b; s=$?; cat t b; exit $s",
        "a,b\n1\nx\n",
        "t: record 2, column 2 is missing: it has 1, not 2; the file is unchanged",
        2,
    );
    says(
        "rhawk --in-place 'BEGINFILE { if (ERRNO) nextfile } { print \"x\" }' missing c; echo $?; cat c",
        "0\nx\n",
        "",
        0,
    );
    // Errors of the program itself end the run.
    says(
        "rhawk --in-place '{ print 1 / ($1 == \"x\" ? 0 : 1) }' b c a; s=$?; cat b c; exit $s",
        "1\nx\n",
        "division by zero",
        2,
    );
}

#[test]
fn a_diff_shows_what_would_change_and_changes_nothing() {
    for option in ["--diff", "--dry-run", "--diff --in-place=.bak"] {
        prints(
            &format!(
                "rhawk {option} '{{ sub(/two/, \"2\"); print }} END {{ print \"end\" }}' a b; ls -A; cat a"
            ),
            "--- a\n+++ a\n@@ -1,3 +1,3 @@\n one\n-two\n+2\n three\nend\na\nb\nc\none\ntwo\nthree\n",
        );
    }
    prints(
        "rhawk --diff '{ sub(/two/, \"2\"); print }' a > p; patch -s a p; cat a",
        "one\n2\nthree\n",
    );
    prints(
        "gzip a; rhawk --diff 'NR > 1' a.gz; ls",
        "--- a.gz\n+++ a.gz\n@@ -1,3 +1,2 @@\n-one\n two\n three\na.gz\nb\nc\n",
    );
    says("rhawk --diff '{ n++ }' c; s=$?; cat c; exit $s", "x\n", "--allow-empty", 2);
    let coloured = "TERM=xterm script -qc '\"$RHAWK\" --diff \"{ print 2 }\" c' /dev/null < /dev/null | cat -v";
    let ran = shell().run(coloured);
    assert!(ran.stdout.contains("^[[31m-x^[[0m") || ran.status == 127, "{ran:?}");
}

#[test]
fn old_files_are_kept_under_a_suffix() {
    prints("rhawk --in-place=.bak '{ print \"new\" }' c; cat c c.bak", "new\nx\n");
    prints(
        "echo older > c.bak; rhawk --in-place=.bak '{ print \"new\" }' c; cat c c.bak",
        "new\nx\n",
    );
    says(
        "rhawk --in-place=/x '{ print \"new\" }' c; s=$?; cat c; exit $s",
        "x\n",
        "has a slash in it; the file is unchanged",
        2,
    );
}

#[test]
fn the_form_of_gawk_is_understood() {
    prints("rhawk -i inplace '{ print \"new\" }' c; cat c", "new\n");
    prints(
        "rhawk -i inplace -v inplace::suffix=.old '{ print \"new\" }' c; cat c c.old",
        "new\nx\n",
    );
    prints(
        "rhawk -i inplace '{ print \"new\" }' inplace::enable=0 b inplace::enable=1 c; cat b c",
        "new\n1,2\nnew\n",
    );
    // Other variables of that namespace are the program's.
    prints("rhawk -i inplace '{ print inplace::other }' inplace::other=0 c; cat c", "0\n");
    prints(
        "rhawk -i inplace 'BEGIN { inplace::suffix = \".k\" } { print \"new\" }' c; cat c c.k",
        "new\nx\n",
    );
    prints(
        "rhawk -i inplace 'BEGIN { inplace::enable = 0 } FNR == 1 { inplace::enable = 1 } { print \"new\" }' c b; cat b c",
        "new\nnew\nx\n",
    );
    prints(
        "printf '@include \"inplace\"\\n{ print \"new\" }\\n' > p.awk; rhawk -f p.awk -v inplace::suffix=.o c; cat c c.o",
        "new\nx\n",
    );
    says("rhawk '@load \"inplace\"; { print }' c", "", "`-i inplace` or `--in-place`", 1);
    prints("rhawk --include=inplace '{ print \"new\" }' c; cat c", "new\n");
    says(
        "rhawk -i other 1 c",
        "",
        "cannot open source file `other' for reading: No such file or directory",
        2,
    );
}

#[test]
fn mode_owner_links_and_attributes_stay() {
    prints("chmod 4751 c; rhawk --in-place '{ print \"new\" }' c; stat -c %a c", "4751\n");
    prints(
        "ln -s c link; rhawk --in-place '{ print \"new\" }' link; readlink link; cat c",
        "c\nnew\n",
    );
    prints(
        "mkdir d; mv c d/c; ln -s d/c link; rhawk --in-place=.bak '{ print \"new\" }' link; cat d/c d/c.bak; readlink link",
        "new\nx\nd/c\n",
    );
    // The other name keeps the old content, as documented.
    prints("ln c hard; rhawk --in-place '{ print \"new\" }' c; cat c hard", "new\nx\n");
    let script = "if ! setfattr -n user.note -v kept c 2>/dev/null; then echo kept; exit; fi; \
                  rhawk --in-place '{ print \"new\" }' c; getfattr --only-values -n user.note c; echo";
    prints(script, "kept\n");
    let script = "if ! setfacl -m u:1:r c 2>/dev/null; then echo same; exit; fi; getfacl c > before; \
                  rhawk --in-place '{ print \"new\" }' c; getfacl c | cmp - before && echo same";
    prints(script, "same\n");
    prints(
        "if [ $(id -u) = 0 ]; then chown 1:2 c; fi; stat -c %u:%g c > before; rhawk --in-place '{ print 1 }' c; stat -c %u:%g c | cmp - before && echo same",
        "same\n",
    );
}

#[test]
fn a_file_in_which_nothing_has_changed_is_not_touched() {
    prints(
        "i=$(stat -c %i,%Y c); touch -d 2001-01-01 a; rhawk --in-place=.bak 1 a c; stat -c %i,%Y c | grep -c $i; date -r a +%Y; ls",
        "1\n2001\na\nb\nc\n",
    );
    prints(
        "rhawk --compress-output 'BEGIN { print 1 > \"z.gz\" }'; i=$(stat -c %i z.gz); rhawk --in-place 1 z.gz; stat -c %i z.gz | grep -c $i",
        "1\n",
    );
}

/// A byte order mark, CR LF, needless quotes, blank lines, no newline at the end.
const TABLE: &str = r#"printf '\357\273\277id,"na me",note\r\n1,"x, y","say ""hi"""\r\n\r\n2,"p"q,5" d\r\n3,z' > t; cp t old; "#;

#[test]
fn a_table_in_which_nothing_is_changed_keeps_every_byte() {
    for options in [
        "--csv -H",
        "--csv",
        "--csv --edit",
        "--csv -H --no-jit",
        "--csv -H --window-size=1",
        "--csv -H -j4",
    ] {
        for program in ["1", "{ print }", "{ print $0 }", "{ $0 = $0 } 1", "NF >= 0"] {
            let script = format!(
                "{TABLE} rhawk {options} --in-place '{program}' t && cmp t old && echo same"
            );
            prints(&script, "same\n");
        }
    }
    let kept = |make: &str, options: &str| {
        prints(
            &format!(
                "printf '{make}' > t; cp t old; rhawk {options} --in-place 1 t && cmp t old && echo same"
            ),
            "same\n",
        );
    };
    kept("a\\tb\\r\\n1\\t\"x\\r\\n\\r\\n2", "--tsv -H");
    kept("{\"a\" : 1}\\r\\n\\r\\n{\"a\":[ ]}", "--jsonl");
    kept("a;b\\n1;\"2,3\"\\n", "--csv -F\\; -H");
    kept("a,b", "--csv -H");
    kept("a,b\\r\\n1,2\\r", "--csv -H");
    kept("", "--csv -H");
    prints(&format!("{TABLE} rhawk --csv --edit 1 t | cmp - old && echo same"), "same\n");
    prints(
        "printf 'a,b\\n1,\"2\"' > t; gzip t; rhawk --csv -H --in-place '{ @\"a\"++ } 1' t.gz; gzip -dc t.gz",
        "a,b\n2,\"2\"",
    );
}

#[test]
fn an_edited_table_keeps_what_is_not_assigned_and_its_header() {
    let table = "printf 'id,note\\n1,\"x, y\"\\n2,z\\n' > k.csv; ";
    prints(
        &format!(
            "{table} rhawk --csv -H --in-place '@\"id\"==1 {{ @\"note\"=\"w\" }} 1' k.csv; cat k.csv"
        ),
        "id,note\n1,w\n2,z\n",
    );
    prints(
        &format!(
            "{table} rhawk --csv -H --in-place '@\"id\"==2 {{ @\"note\"=\"w, v\" }} 1' k.csv; cat k.csv"
        ),
        "id,note\n1,\"x, y\"\n2,\"w, v\"\n",
    );
    prints(
        &format!("{table} rhawk --csv -H --in-place '@\"id\" != 1' k.csv; cat k.csv"),
        "id,note\n2,z\n",
    );
    prints(
        &format!(
            "{table} rhawk --csv -H --in-place '{{ print @\"note\" }} END {{ print NR }}' k.csv; cat k.csv"
        ),
        "2\nnote\n\"x, y\"\nz\n",
    );
    prints(
        &format!("{table} rhawk --csv --in-place '{{ $2 = \"a, b\" }} 1' k.csv; cat k.csv"),
        "id,\"a, b\"\n1,\"a, b\"\n2,\"a, b\"\n",
    );
    prints(
        &format!(
            "{TABLE} rhawk --csv -H --in-place '{{ @\"n\" = FNR; delete @\"note\" }} $1 < 2' t; cat t"
        ),
        "\u{FEFF}id,\"na me\",n\r\n1,\"x, y\",1\r\n,,2\r\n",
    );
    // Each file has a header of its own, and columns where it has them.
    prints(
        "printf 'a,b\\n1,2\\n' > k; printf 'b,\"a\"\\n3,\"4\"' > l; rhawk --csv -H --in-place=.o '{ @\"a\"++; @\"c\" = \"x\" } 1' k l; cat k l l.o",
        "a,b,c\n2,2,x\nb,\"a\",c\n3,5,xb,\"a\"\n3,\"4\"",
    );
    prints(
        &format!(
            "{table} rhawk --csv -H --in-place --output-tsv '{{ @\"id\"++ }} 1' k.csv; cat k.csv"
        ),
        "id\tnote\n2\tx, y\n3\tz\n",
    );
    prints(
        &format!("{table} rhawk --csv -H --in-place --output-separator=\\; 1 k.csv; cat k.csv"),
        "id;note\n1;x, y\n2;z\n",
    );
    prints(
        "printf 'a\\tb\\n1\\tx\\n' > k; rhawk --tsv -H --in-place '{ @\"b\" = \"y\\tz\" } 1' k; cat k",
        "a\tb\n1\ty\\tz\n",
    );
    prints(
        "printf '{\"a\":1}\\n' > k; rhawk --jsonl --in-place '{ print @\"a\", \"x\" }' k; cat k",
        "[1,\"x\"]\n",
    );
    // What cannot be written leaves the file as it was.
    says(
        "printf 'a,b\\n1,2,3\\n' > k; rhawk --csv -H --in-place '{ @\"c\" = 1 } 1' k; s=$?; cat k; exit $s",
        "a,b\n1,2,3\n",
        "the row has 3 fields and the header 2 columns",
        2,
    );
}

#[test]
fn the_form_of_gawk_writes_tables_as_gawk_does_unless_columns_have_names() {
    let table = "printf 'a,b\\n1,\"x, y\"\\n' > k; ";
    prints(&format!("{table} rhawk -i inplace --csv '{{ $1 = 5 }} 1' k; cat k"), "5 b\n5 x, y\n");
    prints(
        &format!("{table} rhawk -i inplace --csv -H '{{ $1 = 5 }} 1' k; cat k"),
        "a,b\n5,\"x, y\"\n",
    );
    prints(
        &format!("{table} rhawk --csv -H '@include \"inplace\"; {{ $1 = 5 }} 1' k; cat k"),
        "a,b\n5,\"x, y\"\n",
    );
}

#[test]
fn what_system_prints_goes_into_the_file_unless_the_file_is_compressed() {
    prints("rhawk --in-place '{ system(\"echo cmd\") } { next }' c; cat c", "cmd\n");
    prints(
        "rhawk --in-place '{ print; system(\"echo cmd\"); if (FNR == 2) nextfile } BEGIN { system(\"echo begin\") }' a b; cat a b",
        "begin\none\ncmd\ntwo\ncmd\n1,2\ncmd\n",
    );
    prints(
        "rhawk --in-place '{ print \"lost\"; system(\"echo lost\"); exit } END { system(\"echo end\") }' c; cat c",
        "end\nx\n",
    );
    prints(
        "gzip c; rhawk --in-place '{ print \"new\"; system(\"echo cmd\") }' c.gz; gzip -dc c.gz",
        "cmd\nnew\n",
    );
}

#[test]
fn compressed_files_go_back_compressed() {
    for ending in ["gz", "zst", "bz2", "xz", "lz4"] {
        prints(
            &format!(
                "rhawk --compress-output '{{ print > \"z.{ending}\" }}' a; rhawk --in-place '{{ print NR, $0 }}' z.{ending}; \
                 rhawk --no-decompress 'NR == 1 {{ print ($0 ~ /^1 one/) }}' z.{ending}; rhawk 1 z.{ending}"
            ),
            "0\n1 one\n2 two\n3 three\n",
        );
    }
}

#[test]
fn tables_keep_what_is_not_assigned_and_each_file_its_header() {
    prints(
        "printf 'id,n\\n1,\"a, b\"\\n' > t; printf 'n,id\\nz,9\\n' > u; \
         rhawk --csv --keep-header --output-csv --in-place '{ @\"id\" += 1; print }' t u; cat t u",
        "id,n\n2,\"a, b\"\nn,id\nz,10\n",
    );
}

#[test]
fn json_keeps_what_stands_around_its_values() {
    let list =
        r#"printf '[\n  {"id": 1},\n  {"id": 2, "n": []}\n]\n' > l; printf '{"v":\n 1}' > d; "#;
    prints(
        &format!("{list} rhawk --json --in-place 1 l d; cat l d"),
        "[\n  {\"id\": 1},\n  {\"id\": 2, \"n\": []}\n]\n{\"v\":\n 1}",
    );
    prints(
        &format!(
            "{list} rhawk --json --in-place '@\"id\" != 1 {{ @\"n[]\" = 5; @\"w\"++; print }}' l d; cat l d"
        ),
        "[\n  {\"id\": 2, \"n\": [5], \"w\": 1}\n]\n{\"v\":\n 1,\"n\":\n [5],\"w\":\n 1}",
    );
    says(
        &format!("{list} rhawk --json --in-place 0 l; s=$?; head -c 1 l; exit $s"),
        "[",
        "nothing was printed",
        2,
    );
    says(
        "printf '[1,\n2' > bad; printf '[1]' > good; rhawk --json --in-place '{ print $0 + 1 }' bad good; s=$?; cat bad good; exit $s",
        "[1,\n2[2]",
        "JSON, line 2, column 2: an array that is never closed; the file is unchanged",
        2,
    );
}

#[test]
fn a_program_that_fails_or_exits_leaves_the_file_as_it_was() {
    says(
        "rhawk --in-place '{ print \"bad\"; print 1 / (NR - 2) }' a; s=$?; cat a; ls; exit $s",
        "one\ntwo\nthree\na\nb\nc\n",
        "division by zero",
        2,
    );
    prints(
        "rhawk --in-place 'FNR == 2 { exit } { print \"bad\" } END { print \"end\" }' b a; cat b a; ls -A",
        "end\nbad\none\ntwo\nthree\na\nb\nc\n",
    );
    says("rhawk --in-place '{ print \"new\" }' c missing; cat c", "new\n", "missing", 0);
    says(
        "chmod 500 .; rhawk --in-place '{ print \"new\" }' c; cat c; chmod 700 .",
        if_root("new\n", "x\n"),
        if_root("", "Permission denied"),
        0,
    );
}

fn if_root<'a>(root: &'a str, other: &'a str) -> &'a str {
    let is_root = Shell::new().run("id -u").stdout == "0\n";
    if is_root { root } else { other }
}

#[test]
fn what_is_no_file_is_not_edited_and_said_so() {
    says("echo in | rhawk --in-place '{ print \"out\" }' -", "out\n", "", 0);
    says(
        "mkfifo p; (echo in > p &) ; rhawk --in-place '{ print \"out\" }' p",
        "out\n",
        "p is not a regular file: not edited in place",
        0,
    );
}

#[test]
fn a_full_disk_leaves_the_file_as_it_was() {
    // A limit on the size of files fails as a full disk does.
    says(
        "trap '' XFSZ; (ulimit -f 8; rhawk --in-place '{ for (i = 0; i < 100000; i++) print \"much\" }' a); s=$?; cat a; ls -A; exit $s",
        "one\ntwo\nthree\na\nb\nc\n",
        "File too large",
        2,
    );
    let shell = shell();
    let mounted = shell.run("mkdir m && mount -t tmpfs -o size=64k none m");
    if mounted.status != 0 {
        println!("skipped: no small file system can be mounted here");
        return;
    }
    let ran = shell.run(
        "cp a m; \"$RHAWK\" --in-place '{ for (i = 0; i < 100000; i++) print \"much\" }' m/a; echo $?; cat m/a; ls -A m; umount m",
    );
    assert_eq!(ran.stdout, "2\none\ntwo\nthree\na\n", "{}", ran.stderr);
    assert!(ran.stderr.contains("No space left on device"), "{}", ran.stderr);
}

#[test]
fn a_killed_run_leaves_the_old_file_or_the_new_one_whole() {
    let script = "\
        seq 100000 > old; sed 's/^/new /' old > new; bad=0; killed=0; i=0
        while [ $i -lt 60 ]; do
            cp old f
            \"$RHAWK\" --in-place '{ print \"new \" $0 }' f & p=$!
            sleep 0.00$((i % 10)); kill -9 $p 2>/dev/null && killed=$((killed + 1)); wait $p 2>/dev/null
            cmp -s f old || cmp -s f new || bad=$((bad + 1))
            i=$((i + 1))
        done
        echo bad $bad; [ $killed -gt 5 ] && echo killed";
    let ran = shell().run(script);
    assert_eq!(ran.stdout, "bad 0\nkilled\n", "{}", ran.stderr);
}

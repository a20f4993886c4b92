//! `--follow`: files that grow, are rotated, truncated and replaced; nothing is lost, and it ends
//! on a signal.

use riverhawk_tests::shell::{Ran, Shell};

/// `follow ARGUMENTS` runs rhawk into `out` and `err`, `has FILE LINE` waits for a line, `stop
/// SIGNAL` ends it.
const FUNCTIONS: &str = r#"
set -m
follow() { "$RHAWK" --follow "$@" > out 2> err & pid=$!; }
has() {
    i=0
    until grep -qsxF -- "$2" "$1"; do
        i=$((i + 1)); [ $i -gt 800 ] && { echo "never: $2"; kill -9 $pid; break; }
        sleep 0.025
    done
}
stop() { kill -$1 $pid; wait $pid; echo "status $?"; }
"#;

/// Runs a script in bash, where a background command has its signals.
fn run(script: &str) -> Ran {
    let shell = Shell::new().with_file("a", "a1\na2\n").with_file("b", "b1\n");
    std::fs::write(shell.dir().join("script"), format!("{FUNCTIONS}{script}")).expect("a file");
    shell.run("LC_ALL=C.UTF-8 bash script")
}

#[track_caller]
fn prints(script: &str, stdout: &str) {
    let ran = run(script);
    assert_eq!((ran.stdout.as_str(), ran.stderr.as_str()), (stdout, ""), "{script}");
}

fn interrupts_are_ignored() -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let ignored = status
        .lines()
        .find_map(|line| u64::from_str_radix(line.strip_prefix("SigIgn:")?.trim(), 16).ok());
    ignored.is_some_and(|mask| mask & 0b10 != 0)
}

#[test]
fn lines_are_answered_as_they_come_and_ctrl_c_is_the_end_of_the_input() {
    // A shell in the background may have set Ctrl-C to be ignored; rhawk keeps that.
    let signals = if interrupts_are_ignored() { &["TERM"][..] } else { &["INT", "TERM"] };
    for signal in signals {
        prints(
            &format!(
                "follow '{{ print FNR, $0 }} ENDFILE {{ print \"endfile\", FILENAME }} END {{ print \"end\", NR }}' a
                 has out '2 a2'; echo a3 >> a; has out '3 a3'; printf part >> a; sleep 0.2; echo ial >> a; has out '4 partial'
                 printf last >> a; sleep 0.2; stop {signal}; tail -n 3 out; cat err"
            ),
            "status 0\n5 last\nendfile a\nend 5\n",
        );
    }
    prints("follow '{ print } END { exit 3 }' a; has out a2; stop TERM", "status 3\n");
    prints(
        "follow '/a3/ { exit } END { print \"end\" }' a; echo a3 >> a; wait $pid; cat out",
        "end\n",
    );
}

#[test]
fn each_of_several_files_has_its_name_and_its_count() {
    prints(
        "follow '{ print FILENAME, FNR, NR, ARGIND, x, $0 } ENDFILE { print \"end of\", FILENAME, FNR }' a x=1 b
         has out 'b 1 3 3 1 b1'; echo b2 >> b; has out 'b 2 4 3 1 b2'; printf a >> a; sleep 0.2
         echo b3 >> b; has out 'b 3 5 3 1 b3'; echo 3 >> a; has out 'a 3 6 1 1 a3'; stop TERM; cat out err",
        "status 0\na 1 1 1  a1\na 2 2 1  a2\nb 1 3 3 1 b1\nb 2 4 3 1 b2\nb 3 5 3 1 b3\na 3 6 1 1 a3\nend of a 3\nend of b 3\n",
    );
    prints(
        "follow '{ print; nextfile } END { print \"end\" }' a b; wait $pid; cat out",
        "a1\nb1\nend\n",
    );
    // Knowledge about the text of one file holds for no other.
    prints(
        "seq -s ' without ' 99 > a; : > b; follow '/needle/ { print FILENAME, $0 } /begun/' a b; echo begun >> a; has out begun
         echo needle >> b; has out 'b needle'; echo 2 needle >> a; has out 'a 2 needle'; echo needle 3 >> b; has out 'b needle 3'; stop TERM; cat out",
        "status 0\nbegun\nb needle\na 2 needle\nb needle 3\n",
    );
}

#[test]
fn the_rest_of_a_rotated_file_is_read_before_the_new_one() {
    prints(
        "follow 'BEGINFILE { print \"begin\" } { print FNR, $0 } ENDFILE { print \"end\" }' a
         has out '2 a2'; mv a a.1; echo a3 >> a.1; echo new > a; echo a4 >> a.1; printf a5 >> a.1
         has out '1 new'; echo more >> a; has out '2 more'; stop TERM; cat out err",
        "status 0\nbegin\n1 a1\n2 a2\n3 a3\n4 a4\n5 a5\nend\nbegin\n1 new\n2 more\nend\n\
         rhawk: warning: a has been replaced: reading the new file\n",
    );
    // By a rename over it, and through a symbolic link that leads elsewhere.
    prints(
        "follow '{ print }' a; has out a2; echo new > c; mv c a; has out new; stop TERM; cat err",
        "status 0\nrhawk: warning: a has been replaced: reading the new file\n",
    );
    prints(
        "ln -s a now; follow '{ print FILENAME, $0 }' now; has out 'now a2'; ln -sfn b now; has out 'now b1'; stop TERM; cat err",
        "status 0\nrhawk: warning: now has been replaced: reading the new file\n",
    );
    // Until something is written to the new file, the old one continues.
    prints(
        "follow '{ print }' a; has out a2; mv a a.1; : > a; sleep 1.5; echo late >> a.1; has out late; echo new >> a
         has out new; stop TERM; cat out",
        "status 0\na1\na2\nlate\nnew\n",
    );
}

#[test]
fn a_file_may_be_removed_and_come_again() {
    prints(
        "follow '{ print }' a; has out a2; rm a
         has err 'rhawk: warning: a has been removed: waiting for a new file of that name'
         echo again > a; has out again; stop TERM; cat err",
        "status 0\nrhawk: warning: a has been removed: waiting for a new file of that name\n\
         rhawk: warning: a has been replaced: reading the new file\n",
    );
}

#[test]
fn a_truncated_file_is_read_from_its_beginning() {
    prints(
        "follow '{ print FNR, $0 } ENDFILE { print \"end\" }' a; printf cut >> a; has out '2 a2'; sleep 0.3; : > a
         has err 'rhawk: warning: a has been truncated: reading it from its beginning'
         echo x >> a; has out '1 x'; stop TERM; cat out",
        "status 0\n1 a1\n2 a2\n3 cut\nend\n1 x\nend\n",
    );
}

/// A writer that rotates its log every few lines, as fast as it can.
#[test]
fn nothing_is_lost_in_many_rotations() {
    prints(
        ": > log; follow '{ n++; s += $0 } /last/ { print \"sum\", n, s; exit }' log
         sleep 0.3
         i=0; while [ $i -lt 2000 ]; do
             i=$((i + 1)); echo $i >> log; [ $((i % 500)) = 0 ] && { mv log log.$i; : > log; sleep 1.3; }
         done
         echo last >> log; has out 'sum 2001 2001000'; wait $pid",
        "",
    );
}

#[test]
fn headers_are_those_of_each_file() {
    prints(
        "printf 'id,name\\n1,x\\n' > a; printf 'name,id\\ny,2\\n' > b
         follow --csv -H '{ print FILENAME, FNR, @\"id\", @\"name\", FIELDS[1] }' a b
         has out 'b 1 2 y name'; printf '3,\"u\\nv' >> a; printf 'z,4\\n' >> b; has out 'b 2 4 z name'; printf 'w\"\\n' >> a; has out 'vw id'
         mv a c; printf 'name,id\\nq,9\\n' > d; mv d a; has out 'a 1 9 q name'; stop TERM; cat out",
        "status 0\na 1 1 x id\nb 1 2 y name\nb 2 4 z name\na 2 3 u\nvw id\na 1 9 q name\n",
    );
}

#[test]
fn other_separators_and_encodings_are_followed_too() {
    prints(
        "follow -v RS= '{ print NR, NF }' a; sleep 0.2; printf '\\nb\\n' >> a; has out '1 2'; stop TERM; cat out",
        "status 0\n1 2\n2 1\n",
    );
    prints(
        "follow -v 'RS=-+' '{ print $1 }' a; printf -- '-x--' >> a; has out a1; printf 'y' >> a; has out x; stop TERM; tail -n 1 out",
        "status 0\ny\n",
    );
    prints(
        "follow -v RS=';;' '{ print $1 }' a; printf ';' >> a; sleep 0.2; printf ';' >> a; has out a1; stop TERM",
        "status 0\n",
    );
    prints(
        "printf 'a\\0\\351\\0' > c; follow --encoding=utf-16le '{ print length($0) }' c; printf '\\n' >> c; sleep 0.2
         printf '\\0' >> c; has out 2; stop TERM",
        "status 0\n",
    );
}

#[test]
fn pipes_are_followed_to_their_end() {
    prints(
        "(echo 1; sleep 0.3; echo 2) | \"$RHAWK\" --follow '{ print FILENAME, $0 } END { print \"end\" }'",
        "- 1\n- 2\nend\n",
    );
    // What has been read ahead is not lost.
    prints(
        "printf '1\\n2\\n3\\n' | \"$RHAWK\" --follow 'BEGIN { getline x < \"-\"; print \"first\", x } { print }'",
        "first 1\n2\n3\n",
    );
    prints(
        "mkfifo p; (sleep 0.2; echo p1; sleep 0.2; echo p2) > p & follow '{ print FILENAME, $0 }' p a
         has out 'p p2'; echo a3 >> a; has out 'a a3'; stop TERM",
        "status 0\n",
    );
    prints("follow '{ print }' < a; has out a2; echo a3 >> a; has out a3; stop TERM", "status 0\n");
}

#[test]
fn what_is_printed_comes_out_wherever_it_goes() {
    prints(
        "follow '{ print > \"copy\" }' a; has copy a2; echo a3 >> a; has copy a3; stop TERM",
        "status 0\n",
    );
    prints(
        "follow '{ print | \"cat > copy\" }' a; has copy a2; echo a3 >> a; has copy a3; stop TERM",
        "status 0\n",
    );
    // The reader has ended.
    prints("\"$RHAWK\" --follow '{ print }' a | head -n 1; echo ${PIPESTATUS[0]}", "a1\n141\n");
}

#[test]
fn what_cannot_be_followed_is_refused() {
    let ran = run("gzip a; \"$RHAWK\" --follow 1 a.gz");
    ran.assert_says(&["cannot read a.gz any further, after record 0: the file is compressed (gzip), and only plain files can be followed"], 2);
    let ran = run("\"$RHAWK\" --follow 1 a nothing");
    ran.assert_says(&["cannot open \"nothing\" for reading: no such file or directory"], 2);
    run("\"$RHAWK\" --follow --in-place 1 a")
        .assert_says(&["--follow and --in-place exclude each other"], 1);
}

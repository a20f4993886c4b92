//! gawk's extensions beyond what rows can test: files of gawk's own, other threads, devices,
//! several processes.

use riverhawk_tests::shell::Shell;

/// `words` are part of the message.
#[track_caller]
fn says(script: &str, stdout: &str, words: &str, status: i32) {
    let shell = Shell::new().with_file("f", "1\n2\n3\n");
    let ran = shell.run(&script.replace("rhawk ", "\"$RHAWK\" "));
    assert_eq!((ran.stdout.as_str(), ran.status), (stdout, status), "{script}\n{}", ran.stderr);
    assert!(
        ran.stderr.contains(words) && ran.stderr.is_empty() == words.is_empty(),
        "{script}\n{}",
        ran.stderr
    );
}

/// They are built in: the path does not matter.
#[test]
fn an_extension_is_there_whatever_the_path_says() {
    for name in ["ordchr", "ordchr.so"] {
        says(
            &format!("AWKLIBPATH=/nowhere rhawk -l {name} 'BEGIN {{ print ord(\"a\") }}'"),
            "97\n",
            "",
            0,
        );
        says(&format!("rhawk '@load \"{name}\"\nBEGIN {{ print ord(\"a\") }}'"), "97\n", "", 0);
    }
    for name in ["./ordchr", "/usr/lib/gawk/ordchr.so", "nothing.so"] {
        let words = format!("cannot open shared library `{name}' for reading");
        says(&format!("AWKLIBPATH=. rhawk -l {name} 'BEGIN {{ print 1 }}'"), "", &words, 2);
    }
    says("AWKLIBPATH=/a:/b rhawk 'BEGIN { print ENVIRON[\"AWKLIBPATH\"] }'", "/a:/b\n", "", 0);
}

#[test]
fn fork_is_refused_while_other_threads_are_at_work() {
    let threads = "while other threads run";
    says("seq 300000 | gzip > g; rhawk '@load \"fork\"\nNR == 2 { fork() }' g", "", threads, 2);
    says(
        "rhawk --in-place '@load \"fork\"\n{ fork() }' f; s=$?; cat f; exit $s",
        "1\n2\n3\n",
        "edited in place",
        2,
    );
    says(
        "rhawk -j4 '@load \"fork\"\nBEGIN { if (fork() == 0) exit; print (wait() > 0) }'",
        "1\n",
        "",
        0,
    );
}

#[test]
fn a_process_that_was_forked_after_much_work_goes_on_as_if_it_were_the_first() {
    let work = "for (i = 0; i < 300000; i++) s += i";
    let program =
        format!("@load \"fork\"\nBEGIN {{ {work}; p = fork(); {work}; if (p) wait(); print s }}");
    for options in ["", "--spesh-nodelay --spesh-blocking"] {
        says(&format!("rhawk {options} '{program}'"), "89999700000\n89999700000\n", "", 0);
    }
}

#[test]
fn a_command_that_another_process_started_is_closed_without_a_word() {
    let program = "BEGIN { print \"abc\" | \"cat\"; if (fork() == 0) { print \"child\"; exit 3 } wait(); close(\"cat\") }";
    says(&format!("rhawk '@load \"fork\"\n{program}' | sort"), "abc\nchild\n", "", 0);
}

#[test]
fn a_mirror_that_was_told_nothing_has_nothing_to_show() {
    let program = "BEGIN { c = \"/magic/mirror\"; print c |& getline; print \"ab\" |& c; print c |& getline, $0 }";
    let program = program.replace("print c |& getline", "print (c |& getline)");
    says(&format!("rhawk '@load \"revtwoway\"\n{program}'"), "0\n1 ba\n", "", 0);
}

#[test]
fn a_device_that_is_full_is_still_there_afterwards() {
    // Through a link, so that the device itself cannot be removed.
    let program = "BEGIN { a[1]; print writea(\"full\", a), ERRNO }";
    let script = format!(
        "ln -s /dev/full full; rhawk '@load \"rwarray\"\n{program}'; test -c full && echo there"
    );
    says(&script, "0 No space left on device\nthere\n", "", 0);
}

#[test]
fn all_variables_of_one_program_become_those_of_another() {
    let write = "BEGIN { x = 1; y[\"a\"][1] = 2; z = @/q+/; ns::v = \"n\"; ENVIRON[\"k\"] = 1; print writeall(\"all\") }";
    let read = "function of(a) { print readall(\"all\"); print length(a), a[\"a\"][1] }
        BEGIN { z = \"kept\"; of(y); print x, z, ns::v, NR; for (i = 0; i < 3; i++) x++; print x }";
    let script = format!("rhawk '@load \"rwarray\"\n{write}'; rhawk '@load \"rwarray\"\n{read}'");
    says(&script, "1\n1\n1 2\n1 kept n 0\n4\n", "", 0);
}

#[test]
fn a_directory_has_a_record_for_each_entry_whatever_separates_records_elsewhere() {
    for options in ["", "--window-size=1", "-j4", "-v RS=x", "-v RS=", "-v RS=[0-9]+"] {
        let program = "FNR == 1 { n++ } FILENAME == \"d\" { split($0, p, \"/\"); t[p[2]] = p[3] RT } END { print n, t[\"a x\"], t[\"d\"], NR >= 5 }";
        let script = format!(
            "mkdir -p d/d; touch \"d/a x\"; rhawk {options} '@load \"readdir\"\n{program}' d f"
        );
        says(&script, "2 f d 1\n", "", 0);
    }
    says(
        "mkdir d; rhawk '@load \"readdir\"\nBEGINFILE { print ERRNO } END { print NR }' d",
        "Is a directory\n2\n",
        "",
        0,
    );
    says("mkdir d; rhawk '@load \"readdir\"\nEND { print NR }' < d", "2\n", "", 0);
    says("mkdir d; rhawk '1' d", "", "is a directory", 0);
}

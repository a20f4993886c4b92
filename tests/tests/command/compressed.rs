//! Compressed files wherever a file can be opened, and files written compressed. Installed tools of
//! the formats read ours, and we theirs.

use riverhawk_tests::shell::Shell;

const FORMATS: [(&str, &str); 5] =
    [("gz", "gzip"), ("zst", "zstd"), ("bz2", "bzip2"), ("xz", "xz"), ("lz4", "lz4")];

/// A directory with `plain`, of 20,000 lines, and the same as `plain.gz` and so on.
fn shell() -> Shell {
    let text: String = (1..=20_000).map(|n| format!("{n} line {}\n", n * n % 1009)).collect();
    let shell = Shell::new().with_file("plain", text);
    let targets = FORMATS.map(|(ending, _)| format!("print > \"plain.{ending}\"")).join("; ");
    let ran = shell.run(&format!("\"$RHAWK\" --compress-output '{{ {targets} }}' plain"));
    assert_eq!((ran.stderr.as_str(), ran.status), ("", 0));
    shell
}

/// `@` is the suffix of each format; expects this output, status 0 and no message.
#[track_caller]
fn prints(shell: &Shell, script: &str, stdout: &str) {
    for (ending, _) in FORMATS {
        let script = script.replace('@', ending).replace("rhawk ", "\"$RHAWK\" ");
        let ran = shell.run(&script);
        assert_eq!(
            (ran.stdout.as_str(), ran.stderr.as_str(), ran.status),
            (stdout, "", 0),
            "{script}"
        );
    }
}

#[test]
fn operands_standard_input_getline_and_slurp_open_them() {
    let shell = shell();
    prints(&shell, "rhawk 'END { print NR, $1 }' plain.@", "20000 20000\n");
    prints(&shell, "rhawk '{ print }' plain.@ | cmp - plain && echo same", "same\n");
    prints(&shell, "rhawk 'END { print NR }' < plain.@", "20000\n");
    prints(&shell, "cat plain.@ | rhawk 'END { print NR }' -", "20000\n");
    prints(
        &shell,
        "rhawk 'BEGIN { while ((getline l < \"plain.@\") > 0) n += length(l); print n }'",
        "266722\n",
    );
    prints(
        &shell,
        "rhawk 'BEGIN { print length(file::slurp(\"plain.@\")), file::lines(\"plain.@\", a), a[20000] }'",
        "286722 20000 20000 line 112\n",
    );
    // Known by content, not by name.
    prints(&shell, "cp plain.@ other; rhawk 'END { print FILENAME, NR }' other", "other 20000\n");
    // Output of commands is not decompressed.
    prints(&shell, "rhawk 'BEGIN { \"cat plain.@\" | getline; print ($0 ~ /^1 line/) }'", "0\n");
}

#[test]
fn several_members_and_several_files_are_read_one_after_the_other() {
    let shell = shell();
    prints(
        &shell,
        "cat plain.@ plain.@ > two; rhawk 'END { print NR }' two plain plain.@",
        "80000\n",
    );
    let all = FORMATS.map(|(ending, _)| format!("plain.{ending}")).join(" ");
    let ran = shell.run(&format!(
        "\"$RHAWK\" -j2 --piece-size=1000 '{{ n += $1 }} END {{ print NR, n }}' plain {all} plain"
    ));
    assert_eq!((ran.stdout.as_str(), ran.status), ("140000 1400070000\n", 0));
}

#[test]
fn no_decompress_leaves_them_as_they_are() {
    let shell = shell();
    prints(
        &shell,
        "rhawk --no-decompress -v 'ORS=' '{ print $0 RT }' plain.@ | cmp - plain.@ && echo same",
        "same\n",
    );
    prints(
        &shell,
        "rhawk --no-decompress -v 'BINMODE=3' -b 'BEGIN { printf \"%s\", file::slurp(\"plain.@\") }' | cmp - plain.@ && echo same",
        "same\n",
    );
}

#[test]
fn a_file_cut_off_is_an_error_after_everything_before_it() {
    let shell = shell();
    for (ending, name) in FORMATS {
        let script = format!(
            "head -c $(($(wc -c < plain.{ending}) - 9)) plain.{ending} > cut; \"$RHAWK\" '{{ print }}' cut > out; \
             s=$?; head -n $(wc -l < out) plain | cmp - out && echo $s $(($(wc -l < out) > 0)); \
             \"$RHAWK\" 'BEGIN {{ while ((r = (getline < \"cut\")) > 0) n++; print r, file::slurp(\"cut\") == \"\", ERRNO }}'"
        );
        let ran = shell.run(&script);
        assert_eq!(ran.stdout, format!("2 1\n-1 1 the {name} data ends too soon\n"), "{name}");
        assert!(ran.stderr.contains("cannot read cut any further, after record"), "{}", ran.stderr);
        assert!(ran.stderr.contains(&format!("the {name} data ends too soon")), "{}", ran.stderr);
    }
}

#[test]
fn what_is_damaged_or_followed_by_something_else_is_an_error() {
    let shell = shell();
    for (ending, name) in FORMATS {
        let ran = shell.run(&format!(
            "(cat plain.{ending}; echo more) > odd; \"$RHAWK\" 'END {{ print NR }}' odd"
        ));
        assert_eq!((ran.stdout.as_str(), ran.status), ("", 2), "{name}");
        assert!(
            ran.stderr.contains(&format!(
                "after record 20000: the {name} data is followed by something else"
            )),
            "{}",
            ran.stderr
        );
    }
}

#[test]
fn a_limit_stands_against_bombs() {
    let shell = shell();
    for (ending, name) in FORMATS {
        let ran = shell.run(&format!(
            "\"$RHAWK\" --decompress-limit=1000 'END {{ print NR }}' plain.{ending}"
        ));
        assert_eq!((ran.stdout.as_str(), ran.status), ("", 2), "{name}");
        assert!(ran.stderr.contains("over the limit for decompression"), "{}", ran.stderr);
    }
    prints(&shell, "rhawk --decompress-limit=400000 'END { print NR }' plain.@", "20000\n");
    prints(&shell, "rhawk --decompress-limit=0 'END { print NR }' plain.@", "20000\n");
}

#[test]
fn output_is_compressed_by_the_name_only_when_asked() {
    let shell = shell();
    prints(&shell, "rhawk '{ print > \"o.@\" }' plain; cmp o.@ plain && echo same", "same\n");
    prints(
        &shell,
        "rhawk --compress-output 'NR < 3 { print > \"p.@\" } NR == 3 { close(\"p.@\"); print >> \"p.@\" }' plain; \
        rhawk '{ print $1 }' p.@",
        "1\n2\n3\n",
    );
    prints(
        &shell,
        "rhawk --compress-output 'BEGIN { for (i = 0; i < 1e5; i++) print i > \"q.@\" }'; rhawk 'END { print NR, $0 }' q.@",
        "100000 99999\n",
    );
}

#[test]
fn a_reader_that_goes_away_early_is_no_error() {
    let shell = shell();
    prints(&shell, "rhawk 'NR == 2 { print; exit }' plain.@", "2 line 4\n");
    prints(&shell, "rhawk 'FNR == 2 { print; nextfile }' plain.@ plain.@", "2 line 4\n2 line 4\n");
    prints(&shell, "rhawk '{ print }' plain.@ | head -1", "1 line 1\n");
}

#[test]
fn the_tools_read_what_we_write_and_we_what_they_write() {
    let shell = shell();
    for (ending, tool) in FORMATS {
        if shell.run(&format!("command -v {tool}")).status != 0 {
            println!("skipped: there is no {tool} here");
            continue;
        }
        let script = format!(
            "{tool} -dc < plain.{ending} | cmp - plain && {tool} -c < plain > theirs && \"$RHAWK\" 1 theirs | cmp - plain && echo same"
        );
        let ran = shell.run(&script);
        assert_eq!((ran.stdout.as_str(), ran.stderr.as_str()), ("same\n", ""), "{tool}");
    }
}

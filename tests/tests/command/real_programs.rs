//! Packaged programs of 200 lines and more print and write the same under rhawk as under gawk, in
//! every tier.
//!
//! They are found where their packages install them, or below `RIVERHAWK_PROGRAMS`, which
//! `tests/fetch-programs` fills. Missing ones are left out.

use riverhawk_tests::oracle;
use riverhawk_tests::shell::Shell;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

/// A program: where its package installs it, and how to run it, `$S` being the script.
type Row = (&'static str, &'static str);

/// `$AWK` is the awk, `$P` the packages' folder. `sort` is used where the order is that of `for (k
/// in a)`.
const PROGRAMS: &[Row] = &[
    ("usr/share/et/et_c.awk", "$AWK -f $S outfile=errors.c outfn=errors.c errors.et"),
    ("usr/share/et/et_h.awk", "$AWK -f $S outfile=errors.h outfn=errors.h errors.et"),
    ("usr/share/texinfo/texindex.awk", "$AWK -f $S -- index.cp"),
    ("usr/share/nvim/runtime/doc/makehtml.awk", "$AWK -f $S $P/usr/share/nvim/runtime/doc/api.txt"),
    (
        "usr/share/nvim/runtime/doc/makehtml.awk",
        "$AWK -f $S $P/usr/share/nvim/runtime/doc/change.txt",
    ),
    ("usr/share/dejagnu/commands/report-card.awk", "$AWK -f $S"),
    ("usr/share/dejagnu/commands/report-card.awk", "$AWK -f $S -- -v tool.sum"),
    ("usr/share/gcal/ct2gcal.awk", "$AWK -f $S calendar.ct"),
    ("usr/share/gcal/v2x2v300.awk", "$AWK -f $S calendar.ct"),
    (
        "usr/lib/R/site-library/tzdb/tzdata/leapseconds.awk",
        "$AWK -f $S $P/usr/lib/R/site-library/tzdb/tzdata/leap-seconds.list",
    ),
    (
        "usr/lib/R/site-library/tzdb/tzdata/zishrink.awk",
        "$AWK -v dataform=main -v version=1 -f $S $P/usr/lib/R/site-library/tzdb/tzdata/europe | grep -v '^# ddeps' | sort",
    ),
    (
        "usr/lib/R/site-library/tzdb/tzdata/ziguard.awk",
        "$AWK -v DATAFORM=rearguard -f $S $P/usr/lib/R/site-library/tzdb/tzdata/africa",
    ),
    (
        "usr/share/sofia-sip/msg_parser.awk",
        // It writes the date into its output.
        "printf '#!/bin/sh\\necho today\\n' > date; chmod +x date; \
         PATH=.:$PATH $AWK -v module=http -v NAME=HTTP -v prefix=http -v MC_HASH_SIZE=127 -v PT=pt.c -v TEMPLATE=http.h -f $S http.h",
    ),
    ("usr/lib/ftnchek/dcl2inc.awk", "$AWK -f $S foo.dcl"),
    ("var/spool/hylafax/bin/b64-encode.awk", "$AWK -f $S $S"),
    ("var/spool/hylafax/bin/qp-encode.awk", "$AWK -f $S $S"),
    ("var/spool/hylafax/bin/notify.awk", "$AWK -f $S tool.sum"),
    (
        "usr/share/pcb-rnd/footprint/parametric/common_subc.awk",
        "$AWK -f $S -f $P/usr/share/pcb-rnd/footprint/parametric/so.awk -v args=16 -v gen=so | sort",
    ),
    (
        "usr/share/pcb-rnd/footprint/parametric/common_subc.awk",
        "$AWK -f $S -f $P/usr/share/pcb-rnd/footprint/parametric/bga.awk -v 'args=1*2,map=..A:.B.:C..' -v gen=bga | sort",
    ),
];

const INPUTS: [(&str, &str); 6] = [
    ("errors.et", include_str!("../../programs/errors.et")),
    ("index.cp", include_str!("../../programs/index.cp")),
    ("tool.sum", include_str!("../../programs/tool.sum")),
    ("calendar.ct", include_str!("../../programs/calendar.ct")),
    ("http.h", include_str!("../../programs/http.h")),
    ("foo.dcl", include_str!("../../programs/foo.dcl")),
];

/// The default, without machine code, and with machine code from the first iteration.
const AWKS: [&str; 3] =
    ["\"$RHAWK\"", "\"$RHAWK\" --no-jit", "\"$RHAWK\" --spesh-nodelay --spesh-blocking"];

/// Output, status and files of a run; warnings differ in form.
fn result(
    awk: &str,
    folder: &str,
    script: &str,
    line: &str,
) -> (String, i32, BTreeMap<String, Vec<u8>>) {
    let shell = INPUTS.iter().fold(Shell::new(), |shell, (name, text)| shell.with_file(name, text));
    let ran = shell.run(&format!("P='{folder}'; S=\"$P/{script}\"; {}", line.replace("$AWK", awk)));
    let files = fs::read_dir(shell.dir()).expect("the test's directory").map(|entry| {
        let path = entry.expect("an entry").path();
        (
            path.file_name().unwrap_or_default().to_string_lossy().into_owned(),
            fs::read(path).unwrap_or_default(),
        )
    });
    (ran.stdout, ran.status, files.collect())
}

#[test]
fn programs_of_others_do_what_they_do_under_gawk() {
    if oracle::gawk().is_none() {
        return;
    }
    let folder = std::env::var("RIVERHAWK_PROGRAMS").unwrap_or_default();
    let mut differ = Vec::new();
    let mut count = 0;
    for (script, line) in
        PROGRAMS.iter().filter(|(script, _)| Path::new(&format!("{folder}/{script}")).exists())
    {
        count += 1;
        let expected = result("gawk", &folder, script, line);
        assert!(
            !expected.0.is_empty() || expected.2.len() > INPUTS.len(),
            "gawk prints nothing: {script}: {line}"
        );
        for awk in AWKS {
            if result(awk, &folder, script, line) != expected {
                differ.push(format!("{awk}: {script}: {line}"));
            }
        }
    }
    eprintln!("{count} of {} programs are here", PROGRAMS.len());
    assert!(differ.is_empty(), "not as under gawk:\n{}", differ.join("\n"));
    // If they are requested, a missing program is an error.
    assert!(
        folder.is_empty() || count > 0,
        "RIVERHAWK_PROGRAMS={folder}: none of the programs is there"
    );
}

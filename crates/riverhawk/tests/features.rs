//! What a build without a feature says where the feature is needed; and that a build with it works.
//!
//! `cargo test -p riverhawk --no-default-features --test features`

use riverhawk::filesystem::MemoryFiles;
use riverhawk::{Permissions, Program, Run};

/// `tea\n`, compressed by gzip.
const TEA: &[u8] = b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x02\x03\x2b\x49\x4d\xe4\x02\x00\xe4\x52\x36\x17\x04\x00\x00\x00";

fn message(program: &str, run: Run) -> Result<String, String> {
    let program = Program::compile(program).unwrap();
    program
        .run(run)
        .map(|outcome| outcome.text().into_owned())
        .map_err(|error| error.message().to_owned())
}

#[test]
fn compressed_input_is_read_or_refused() {
    let read = message("{ print }", Run::new().input(TEA));
    match cfg!(feature = "compress") {
        true => assert_eq!(read.as_deref(), Ok("tea\n")),
        false => {
            let why = "this build does not decompress gzip (feature `compress`)";
            assert!(read.as_ref().unwrap_err().ends_with(why), "{read:?}");
        }
    }
    let as_it_is = message("END { print (length($0) > 0) }", Run::new().no_decompress().input(TEA));
    assert_eq!(as_it_is.as_deref(), Ok("1\n"));
}

#[test]
fn output_is_compressed_or_refused() {
    let files = MemoryFiles::new();
    let run = Run::new().file_system(files.clone()).compress_output();
    let written = message("BEGIN { print \"tea\" > \"bill.gz\" }", run);
    match cfg!(feature = "compress") {
        true => assert!(files.get("bill.gz").is_some_and(|bill| bill.starts_with(b"\x1f\x8b"))),
        false => {
            let why = "this build does not write gzip (feature `compress`)";
            assert!(written.as_ref().unwrap_err().ends_with(why), "{written:?}");
        }
    }
}

#[test]
fn connections_are_made_or_refused() {
    let name = "/inet/tcp/0/127.0.0.1/1";
    let program = format!(
        "BEGIN {{ if ((\"{name}\" |& getline line) < 0) print ERRNO; print 1 |& \"{name}\" }}"
    );
    let run = Run::new().permissions(Permissions::none().network());
    let why = "this build makes no connections (feature `network`)";
    let refused = message(&program, run).unwrap_err();
    assert_eq!(refused.ends_with(why), cfg!(not(feature = "network")), "{refused}");
}

//! A stranger's program with no permission and small limits: it ends within them, without a panic,
//! and leaves no file, no child and no open descriptor behind.
//!
//! Input: the program up to the first 0xFE byte, its input.

#![cfg_attr(fuzzing, no_main)]

use riverhawk::{Checked, Limits, Program, Run};
use riverhawk_fuzz::cut;
use std::alloc::System;
use std::sync::Once;
use std::time::Duration;

#[global_allocator]
static ALLOCATOR: Checked<System> = Checked(System);

const LIMITS: Limits = Limits::none()
    .steps(100_000)
    .time(Duration::from_secs(2))
    .memory(256 << 20)
    .output(1 << 20)
    .record(1 << 20)
    .decompressed(16 << 20)
    .records(10_000)
    .call_depth(10_000);

/// Everything that a program might leave: what is in the working directory, children, descriptors.
fn traces() -> (usize, String, usize) {
    let count = |folder: &str| std::fs::read_dir(folder).map_or(0, Iterator::count);
    let children = std::fs::read_to_string("/proc/thread-self/children").unwrap_or_default();
    (count("."), children, count("/proc/self/fd"))
}

/// Of this thread: on a busy machine others take time, too.
fn processor_time() -> Duration {
    let stat = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    Duration::from_nanos(stat.split(' ').next().and_then(|time| time.parse().ok()).unwrap_or(0))
}

riverhawk_fuzz::target!(|input: &[u8]| {
    static IN_AN_EMPTY_FOLDER: Once = Once::new();
    IN_AN_EMPTY_FOLDER.call_once(|| {
        let folder = std::env::temp_dir().join(format!("untrusted-{}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("a folder");
        std::env::set_current_dir(folder).expect("a folder");
        // What a hot program makes once for the process.
        let hot =
            Program::compile("BEGIN { for (i = 0; i < 90000; i++) n += i }").expect("a program");
        hot.run(Run::new()).expect("it ends");
    });
    let (text, data) = cut(input);
    let Ok(program) = Program::compile(text) else { return };
    let before = traces();
    let begun = processor_time();
    let _ = program.run(Run::new().input(data).limits(LIMITS));
    let took = processor_time() - begun;
    assert!(took < Duration::from_secs(3), "it took {took:?}");
    assert_eq!(traces(), before);
});

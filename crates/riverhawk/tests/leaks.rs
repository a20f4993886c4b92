//! Nothing of a run is left when it has returned, however it ended: no file, descriptor, thread,
//! child or memory. In a process of its own, so that all of these can be counted.
#![cfg(target_os = "linux")]

use riverhawk::filesystem::{FileSystem, InputStream};
use riverhawk::{Call, Cancel, Limits, Permissions, Program, Run};
use std::alloc::{GlobalAlloc, Layout, System};
use std::io::{self, Read, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicIsize, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

struct Counting;

static HELD: AtomicIsize = AtomicIsize::new(0);

#[global_allocator]
static ALLOCATOR: Counting = Counting;

// SAFETY: the system's allocator does the work.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        HELD.fetch_add(layout.size() as isize, Ordering::Relaxed);
        // SAFETY: as the caller promises.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, place: *mut u8, layout: Layout) {
        HELD.fetch_sub(layout.size() as isize, Ordering::Relaxed);
        // SAFETY: as the caller promises.
        unsafe { System.dealloc(place, layout) }
    }
}

/// Counts what it has open.
struct Counted(Arc<AtomicUsize>);

struct Open(Arc<AtomicUsize>);

impl Drop for Open {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::SeqCst);
    }
}

impl Read for Open {
    fn read(&mut self, block: &mut [u8]) -> io::Result<usize> {
        block[..2].copy_from_slice(b"x\n");
        Ok(2)
    }
}

impl FileSystem for Counted {
    fn open(&self, _: &[u8]) -> io::Result<InputStream> {
        self.0.fetch_add(1, Ordering::SeqCst);
        Ok(InputStream::new(Open(self.0.clone())))
    }
}

/// An output whose other end is gone.
struct Closed;

impl Write for Closed {
    fn write(&mut self, _: &[u8]) -> io::Result<usize> {
        Err(io::ErrorKind::BrokenPipe.into())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

fn entries(folder: &str) -> usize {
    std::fs::read_dir(folder).map_or(0, Iterator::count)
}

/// Descriptors, threads, children.
fn traces() -> (usize, usize, usize) {
    let tasks = std::fs::read_dir("/proc/self/task").expect("threads").flatten();
    let children = tasks
        .filter_map(|task| std::fs::read_to_string(task.path().join("children")).ok())
        .map(|children| children.split_whitespace().count())
        .sum();
    (entries("/proc/self/fd"), entries("/proc/self/task"), children)
}

/// What ends in another way each.
struct Programs {
    ends: [Program; 4],
    calls: Program,
    prints: Program,
    endless: Program,
    command: Program,
    open: Arc<AtomicUsize>,
}

impl Programs {
    fn new() -> Programs {
        let program = |text: &str| Program::compile(text).expect(text);
        Programs {
            ends: [
                "{ n[$1]++ } END { for (k in n) print k, n[k] }",
                "BEGIN { getline x < \"f\"; print x; exit 3 }",
                "BEGIN { printf \"%d\", \"x\" > \"/dev/stderr\"; x = 1 / 0 }",
                "function f(n) { return n ? f(n - 1) : 0 } BEGIN { print f(10) }",
            ]
            .map(program),
            calls: Program::builder()
                .source("calls", "{ n[NR] = f($1) }")
                .function("f", 1..=1, |call: &mut Call<'_>| match &*call.text(0) {
                    b"panic" => panic!("on purpose"),
                    b"error" => Err("not this".into()),
                    _ => Ok("fine".into()),
                })
                .compile()
                .expect("a program"),
            prints: program("{ print; print > \"/dev/stderr\" }"),
            endless: program("{ a[++n] = $0 } END { while (1) n++ }"),
            command: program(
                "{ print | \"cat\" } END { system(\"exit 3\"); \"echo x\" | getline }",
            ),
            open: Arc::default(),
        }
    }

    /// A turn of the cycle of 20; what starts threads or processes is rarer, since it takes longer.
    fn run(&self, turn: usize) {
        let input = || Run::new().input("a\nb\na\n");
        let ended = match turn % 20 {
            kind @ 0..8 => self.ends[kind % 4].run(input().file_system(Counted(self.open.clone()))),
            8 => self.calls.run(Run::new().input("a\nerror\n")),
            9 => self.calls.run(Run::new().input("a\npanic\n")),
            10 => self.prints.run(input().stdout(Closed)),
            11 => self.prints.run(input().stderr(Closed).keep_variables()),
            12 => {
                let cancel = Cancel::new();
                cancel.cancel();
                self.endless.run(input().cancel(&cancel))
            }
            13 => self.endless.run(input().limits(Limits::none().steps(9))),
            14 => self.prints.run(input().limits(Limits::none().output(3))),
            15 => {
                assert!(Program::compile("BEGIN { print (1 + }\n{ prnt(1) }").is_err());
                return;
            }
            16 => Program::compile(
                "/a+b?/ { n++; gsub(/(a|b)*/, \"<&>\"); m[$1] = $0 } END { print n }",
            )
            .expect("a program")
            .run(input().variable("n", 1).keep_variables()),
            17 if turn % 2000 == 17 => {
                let limits = Limits::none().time(Duration::from_millis(3));
                self.endless.run(input().limits(limits))
            }
            18 if turn % 2000 == 18 => {
                let pulled =
                    self.prints.records(Run::new().lines((0..).map(|n: u64| n.to_string())));
                assert_eq!(pulled.take(2).filter_map(Result::ok).count(), 2);
                return;
            }
            19 if turn % 2000 == 19 => self.command.run(input().permissions(Permissions::all())),
            _ => {
                assert!(self.calls.run(input()).is_ok());
                return;
            }
        };
        let fails = matches!(turn % 20, 2 | 6 | 8..=14 | 17);
        assert_eq!(ended.is_err(), fails, "turn {turn}: {ended:?}");
    }
}

#[test]
fn a_hundred_thousand_runs_leave_nothing_behind() {
    std::panic::set_hook(Box::new(|_| {}));
    let programs = Programs::new();
    // What is made once: machine code, caches of regular expressions.
    (0..10_000).for_each(|turn| programs.run(turn));
    let (before, held) = (traces(), HELD.load(Ordering::SeqCst));
    (0..100_000).for_each(|turn| programs.run(turn));
    assert_eq!(programs.open.load(Ordering::SeqCst), 0);
    // A thread that makes machine code may just be ending.
    let begun = Instant::now();
    while traces() != before && begun.elapsed() < Duration::from_secs(10) {
        std::thread::sleep(Duration::from_millis(10));
    }
    assert_eq!(traces(), before);
    // Each kind has 5,000 turns: eight bytes that one of them leaves would be 40,000.
    let grown = HELD.load(Ordering::SeqCst) - held;
    assert!(grown < 20_000, "{grown} bytes more are held than after the first runs");
}

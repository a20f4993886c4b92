//! Programs over pieces of every size, whose parcels are joined in any tree, give what one run does.

use proptest::prelude::*;
use riverhawk::filesystem::{OperandFile, OperandFiles, ReadAt};
use riverhawk::pieces::{self, Cluster, PieceError, PieceWorker, SerialRest};
use riverhawk::{Outcome, Permissions, Program, Run, RunError, TableFormat};
use riverhawk_compress::{Codec, compress};
use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::Path;
use std::sync::{Arc, Mutex};

/// Which neighbours are joined next, and how many parcels are left to the leader.
#[derive(Clone, Debug)]
struct Tree {
    choices: Vec<usize>,
    left: usize,
    /// Into how many strands parcels are split, if so.
    strands: Option<usize>,
}

/// Runs every piece in a worker of its own, as on machines that know nothing of each other.
#[derive(Clone)]
struct Machines {
    program: Program,
    tree: Tree,
    /// What was printed is kept here if true, by piece.
    keeps: Option<Kept>,
    store: Store,
    pieces: Arc<Mutex<usize>>,
}

/// Files by names that the system does not have.
#[derive(Clone, Default)]
struct Store(Arc<Mutex<BTreeMap<String, Contents>>>);

/// Bytes and their version.
type Contents = (Arc<Vec<u8>>, i64);

/// Gives a few bytes at once.
struct Stored(Arc<Vec<u8>>);

impl ReadAt for Stored {
    fn read_at(&self, block: &mut [u8], offset: u64) -> io::Result<usize> {
        let rest = self.0.get(offset as usize..).unwrap_or_default();
        let count = rest.len().min(block.len()).min(1000);
        block[..count].copy_from_slice(&rest[..count]);
        Ok(count)
    }
}

impl Store {
    fn put(&self, name: &str, text: Vec<u8>, version: i64) {
        self.0.lock().unwrap().insert(name.to_owned(), (Arc::new(text), version));
    }
}

impl OperandFiles for Store {
    fn open(&self, name: &[u8]) -> Option<io::Result<OperandFile>> {
        let name = std::str::from_utf8(name).ok().filter(|name| name.starts_with("store:"))?;
        let Some((text, version)) = self.0.lock().unwrap().get(name).cloned() else {
            return Some(Err(io::Error::new(io::ErrorKind::NotFound, "not in the store")));
        };
        let length = text.len() as u64;
        Some(Ok(OperandFile { bytes: Arc::new(Stored(text)), length, version }))
    }
}

#[derive(Clone, Default)]
struct Kept {
    printed: Arc<Mutex<Vec<Vec<u8>>>>,
    stdout: Arc<Mutex<Vec<u8>>>,
}

impl Write for Kept {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.stdout.lock().unwrap().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

impl Machines {
    fn worker(&self, start: &[u8]) -> Result<PieceWorker, PieceError> {
        self.program.piece_worker_with(start, self.store.clone())
    }

    fn parcels(&self, start: &[u8], pieces: &[Vec<u8>]) -> Result<Vec<Vec<u8>>, PieceError> {
        let mut parcels = Vec::new();
        for piece in pieces {
            let mut parcel = self.worker(start)?.run(piece)?;
            if let Some(kept) = &self.keeps {
                let mut printed = kept.printed.lock().unwrap();
                let (rest, text) =
                    pieces::take_printed(&parcel, printed.len().to_string().into_bytes())?;
                parcel = rest;
                printed.extend(text);
            }
            parcels.push(parcel);
        }
        *self.pieces.lock().unwrap() += pieces.len();
        let Some(count) = self.tree.strands else { return self.joined(start, parcels) };
        let mut strands = vec![Vec::new(); count];
        for parcel in &parcels {
            for (strand, part) in strands.iter_mut().zip(self.worker(start)?.split(parcel, count)?)
            {
                strand.push(part);
            }
        }
        let mut joined = Vec::new();
        for strand in strands {
            joined.push(self.joined(start, strand)?);
        }
        let left = (0..joined[0].len()).map(|at| {
            let strands: Vec<_> = joined.iter().map(|strand| &strand[at]).collect();
            pieces::unite(&strands)
        });
        left.collect()
    }

    fn joined(&self, start: &[u8], mut parcels: Vec<Vec<u8>>) -> Result<Vec<Vec<u8>>, PieceError> {
        let mut choices = self.tree.choices.iter().cycle();
        while parcels.len() > self.tree.left.max(1) {
            let at = choices.next().unwrap() % (parcels.len() - 1);
            let later = parcels.remove(at + 1);
            let earlier = parcels.remove(at);
            parcels.insert(at, self.worker(start)?.join(&[earlier, later])?);
        }
        Ok(parcels)
    }
}

impl Cluster for Machines {
    fn count(&self, start: &[u8], pieces: &[Vec<u8>]) -> Result<Vec<u64>, String> {
        let count = |piece: &Vec<u8>| self.worker(start)?.count(piece);
        pieces.iter().map(count).collect::<Result<_, _>>().map_err(|error| error.to_string())
    }

    fn run(&self, start: &[u8], pieces: &[Vec<u8>]) -> Result<Vec<Vec<u8>>, String> {
        self.parcels(start, pieces).map_err(|error| error.to_string())
    }

    fn insert(&self, name: &[u8]) -> Result<(), String> {
        let kept = self.keeps.as_ref().ok_or("nothing is kept")?;
        let at: usize = String::from_utf8_lossy(name).parse().map_err(|_| "a number")?;
        let text = kept.printed.lock().unwrap()[at].clone();
        kept.stdout.lock().unwrap().extend_from_slice(&text);
        Ok(())
    }
}

/// What the rules may do with a variable, and what makes the leader run a piece.
const PROGRAMS: &[&str] = &[
    "1",
    "END { print NR, $0, NF }",
    "{ n++ } END { print n }",
    "{ print NR, FNR, FILENAME }",
    "NR % 3 == 0 { print FNR \":\" $1 } END { print NR }",
    "{ n[$1]++ } END { for (k in n) print k, n[k] }",
    "{ n[$1] += $2; m[$1, $2]++ } END { for (k in n) print k, n[k]; for (k in m) print k, m[k] }",
    "$2 > max { max = $2; line = $0 } END { print max, line }",
    "$2 >= max { max = $2; line = $0 } END { print max, line }",
    "!($1 in low) || $2 < low[$1] { low[$1] = $2 } END { for (k in low) print k, low[k] }",
    "!($1 in first) { first[$1] = $0 } END { for (k in first) print k, first[k] }",
    "{ line[$1] = $0 } END { for (k in line) print k, line[k] }",
    "{ last = $1; n = split($0, part) } END { print last, n, part[1] }",
    "{ all = all $1 } END { print all }",
    "BEGIN { name[\"tea\"] = \"TEA\" } { print name[$1] } END { for (k in name) print k, name[k] }",
    "{ seen[$1] = seen[$1] $2 } END { for (k in seen) print k, seen[k] }",
    "$1 == \"milk\", $2 > 5 { print FNR == 0, $0 }",
    "/tea/, /milk/ { n++ } END { print n }",
    "/tea/, /milk/ { print \"a\", $0 } $2 == 7, $2 == 3 { print \"b\", $0 }",
    "NR == 1 { h = $1; next } { print h, $2 }",
    "$2 == 8 { nextfile } { print; n++ } END { print n }",
    "$2 == 9 { exit 3 } { print; n++ } END { print n, NR }",
    "{ s += $2 / 4 } END { print s }",
    "{ s += $3 } END { print s }",
    "$2 == 9 { substr($1, -1); print > \"/dev/stderr\" } { n++ } END { print n }",
    "function f(x) { k[x]++; return length(x) } { c += f($1) } END { print c, length(k) }",
    "BEGIN { OFS = \"-\"; RS = \"\" } { $1 = $1; print; n += NF } END { print n }",
    "BEGIN { RS = \"[\\n ]+\" } { w[$0]++; print RT == \"\\n\" } END { for (k in w) print k, w[k] }",
    "BEGIN { FS = \"\" } { print $1, NF }",
    // Of variables that END does not read the caller may still ask for the values.
    "{ n++; t += $2; c[$1]++; last[$1] = $2 } $2 > max { max = $2 } END { print NR }",
    "{ if (match($0, /[0-9]+/)) print RSTART, RLENGTH } END { print RSTART, RLENGTH }",
];

fn text() -> impl Strategy<Value = String> {
    let word = prop::sample::select(&["tea", "milk", "x", "", "é", "longer-word"][..]);
    let third = prop::sample::select(&["1", "9007199254740992", "-3", "x", "4503599627370497"][..]);
    let line = (word, 0..10, third, 0..20).prop_map(|(word, number, third, blank)| match blank {
        0 => "\n".to_owned(),
        _ => format!("{word} {number} {third}\n"),
    });
    (proptest::collection::vec(line, 0..120), any::<bool>()).prop_map(|(lines, ends)| {
        let text = lines.concat();
        if ends { text } else { text.trim_end_matches('\n').to_owned() }
    })
}

fn place() -> impl Strategy<Value = Place> {
    let far = [
        Place::Compressed,
        Place::Elsewhere,
        Place::CompressedElsewhere,
        Place::Bgzip,
        Place::BgzipElsewhere,
        Place::Frames,
    ];
    prop_oneof![2 => Just(Place::Disk), 1 => prop::sample::select(far.to_vec())]
}

fn tree() -> impl Strategy<Value = Tree> {
    let strands = proptest::option::of(1..4_usize);
    (proptest::collection::vec(any::<usize>(), 1..8), 1..6_usize, strands)
        .prop_map(|(choices, left, strands)| Tree { choices, left, strands })
}

/// What a run gives: its status, what it prints, its variables, its error.
type Result3 = (u8, String, String, String, String);

fn result(program: &Program, run: Run) -> Result3 {
    let (outcome, error) = match program.run(run.keep_variables()) {
        Ok(outcome) => (outcome, String::new()),
        Err(error) => (error.outcome().clone(), error.to_string()),
    };
    let variables: Vec<_> = outcome.variables().collect();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let variables = format!("{variables:?}");
    (outcome.status, text(&outcome.stdout), text(&outcome.stderr), variables, error)
}

/// Where files are.
#[derive(Clone, Copy, Debug)]
enum Place {
    Disk,
    Compressed,
    Elsewhere,
    CompressedElsewhere,
    Bgzip,
    BgzipElsewhere,
    Frames,
}

/// As `bgzip` writes it: every member has its length in a field of its header.
fn bgzip_member(text: &[u8]) -> Vec<u8> {
    let plain = compress(Codec::Gzip, text).unwrap();
    let length = u16::try_from(plain.len() + 8 - 1).unwrap();
    let extra = [&b"\x06\0BC\x02\0"[..], &length.to_le_bytes()].concat();
    [&plain[..3], &[4], &plain[4..10], &extra, &plain[10..]].concat()
}

/// As [`bgzip_member`], of bytes that do not compress.
fn stored_member(text: &[u8]) -> Vec<u8> {
    let plain = compress(Codec::Gzip, text).unwrap();
    let length = u16::try_from(text.len()).unwrap();
    let trailer = &plain[plain.len() - 8..];
    let block = [&[1][..], &length.to_le_bytes(), &(!length).to_le_bytes(), text, trailer].concat();
    let total = u16::try_from(18 + block.len() - 1).unwrap();
    [&plain[..3], &[4], &plain[4..10], b"\x06\0BC\x02\0", &total.to_le_bytes(), &block].concat()
}

/// Blocks of 70 bytes, which no record knows of.
fn bgzip(text: &[u8]) -> Vec<u8> {
    text.chunks(70).chain([&b""[..]]).flat_map(bgzip_member).collect()
}

fn frames(text: &[u8]) -> Vec<u8> {
    text.chunks(300).flat_map(|text| compress(Codec::Zstd, text).unwrap()).collect()
}

fn compressed(text: &str) -> Vec<u8> {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("text.gz");
    let program = Program::compile("BEGIN { printf \"%s\", text > path }").unwrap();
    let run = Run::new().compress_output().permissions(Permissions::none().write(directory.path()));
    let path_text = path.to_str().unwrap();
    program.run(run.variable("text", text).variable("path", path_text)).unwrap();
    std::fs::read(path).unwrap()
}

fn same(
    program: &str,
    texts: &[String],
    piece_size: usize,
    tree: Tree,
    keeps: bool,
    (csv, place): (bool, Place),
) {
    let directory = tempfile::tempdir().unwrap();
    let (mut paths, store) = (Vec::new(), Store::default());
    for (at, text) in texts.iter().enumerate() {
        let bytes = match place {
            Place::Compressed | Place::CompressedElsewhere => compressed(text),
            Place::Bgzip | Place::BgzipElsewhere => bgzip(text.as_bytes()),
            Place::Frames => frames(text.as_bytes()),
            Place::Disk | Place::Elsewhere => text.clone().into_bytes(),
        };
        let path = match place {
            Place::Disk | Place::Compressed | Place::Bgzip | Place::Frames => {
                let path = directory.path().join(format!("in{at}"));
                std::fs::write(&path, bytes).unwrap();
                path.to_string_lossy().into_owned()
            }
            Place::Elsewhere | Place::CompressedElsewhere | Place::BgzipElsewhere => {
                let name = format!("store:in{at}");
                store.put(&name, bytes, 1);
                name
            }
        };
        paths.push(path);
    }
    let program = Program::compile(program).unwrap();
    let base = || {
        let run = Run::new().operands(paths.clone()).operand_files(store.clone());
        if csv { run.input_format(TableFormat::CSV) } else { run }
    };
    let expected = result(&program, base());
    let machines = Machines {
        program: program.clone(),
        tree,
        keeps: keeps.then(Kept::default),
        store: store.clone(),
        pieces: Arc::default(),
    };
    let run = base().piece_size(piece_size).cluster(machines.clone(), SerialRest::Allowed);
    let mut found = match &machines.keeps {
        Some(kept) => result(&program, run.stdout(kept.clone())),
        None => result(&program, run),
    };
    if let Some(kept) = &machines.keeps {
        found.1 = String::from_utf8_lossy(&kept.stdout.lock().unwrap()).into_owned();
    }
    assert_eq!(found, expected, "{program:?} in pieces of {piece_size}");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, ..ProptestConfig::default() })]

    #[test]
    fn any_program_in_any_pieces(
        program in prop::sample::select(PROGRAMS),
        texts in proptest::collection::vec(text(), 1..4),
        piece_size in prop_oneof![1_usize..10, 10_usize..400, 400_usize..4000],
        tree in tree(),
        keeps in any::<bool>(),
        place in place(),
    ) {
        same(program, &texts, piece_size, tree, keeps, (false, place));
    }

    #[test]
    fn rows_with_quotes(
        program in prop::sample::select(&PROGRAMS[..16]),
        rows in proptest::collection::vec(
            prop::sample::select(&["a,1\n", "\"b\nc\",2\n", "\"x\"\"\n\",3\n", "d\"e,4\n", "\n", "\"\n\n\n\"\n"][..]),
            0..200,
        ),
        piece_size in 1_usize..400,
        tree in tree(),
        place in place(),
    ) {
        same(program, &[rows.concat()], piece_size, tree, false, (true, place));
    }
}

/// What END reads is the last record there is, not the last of the last file.
#[test]
fn files_without_a_record_at_the_end() {
    let lines = (0..40).map(|number| format!("{number} x\n")).collect::<String>();
    let tree = || Tree { choices: vec![1, 0, 2], left: 2, strands: None };
    let program = "{ n += $1 } END { print n, $0, NF, NR, FNR, FILENAME }";
    let texts = [lines.clone(), String::new(), String::new()];
    for place in [Place::Disk, Place::Compressed, Place::Bgzip, Place::CompressedElsewhere] {
        for piece_size in [1, 30, 1000] {
            same(program, &texts, piece_size, tree(), false, (false, place));
        }
    }
    let program = format!("BEGIN {{ RS = \"\" }} {program}");
    let texts = [lines.replace('\n', "\n\n"), "\n".repeat(50), "\n\n".to_owned()];
    for piece_size in [1, 30, 1000] {
        same(&program, &texts, piece_size, tree(), false, (false, Place::Disk));
    }
}

/// Sums of fractions: of variables and elements, by `+=`, `-=`, `++` and `--`, in functions that END
/// calls too, of variables with and without a value before.
const SUMS: &[&str] = &[
    "{ n += $1 } END { printf \"%.17g\\n\", n }",
    "BEGIN { n = 0.1; m = -0 } { n -= $1; n++; m += $2 } END { printf \"%.17g %.17g\\n\", n, m }",
    "{ s[$2] += $1; s[\"all\"] -= $1; s[$2 % 3]--; c[$2]++ }
        END { for (k in s) printf \"%s %.17g %d\\n\", k, s[k], c[k] }",
    "BEGIN { s[1] = \"0.7\"; s[2] } { s[NR % 3] += $1 } END { for (k in s) printf \"%s %.17g\\n\", k, s[k] }",
    "function add(a, k, x) { a[k] += x; n += x } { add(s, $2 % 2, $1); add(t, 1, -$1) }
        END { add(s, 0, 0.1); add(s, 0, 0.2); printf \"%.17g %.17g %.17g\\n\", n, s[0], t[1] }",
    "{ n += $1; s[1] += $1; if ($2 == 9) exit } END { n += 0.1; n += s[1]; printf \"%.17g\\n\", n }",
];

fn any_number() -> impl Strategy<Value = f64> {
    prop_oneof![
        4 => (-1_000_000_i32..1_000_000).prop_map(|cents| f64::from(cents) / 100.0),
        4 => (-100_i32..100).prop_map(f64::from),
        2 => any::<u64>().prop_map(f64::from_bits).prop_filter("finite", |number| number.is_finite()),
        2 => prop::sample::select(&[1e300, -1e300, 1e16, -1e16, 5e-324, f64::MAX, -f64::MAX, -0.0][..]),
    ]
}

fn lines_of(numbers: &[f64]) -> String {
    let line = |(at, number): (usize, &f64)| match number.is_finite() {
        true => format!("{number:?} {}\n", at % 10),
        false => format!("{number:+} {}\n", at % 10).to_lowercase(),
    };
    numbers.iter().enumerate().map(line).collect()
}

/// Runs it on one thread and on several, with machine code and without, and on other machines.
fn sums_everywhere(program: &str, numbers: &[f64], piece_size: usize, tree: Tree) -> String {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("in");
    std::fs::write(&path, lines_of(numbers)).unwrap();
    let program = Program::compile(program).unwrap();
    let base = || Run::new().operands([path.to_str().unwrap()]).relaxed_sums();
    let expected = result(&program, base());
    let machines = Machines {
        program: program.clone(),
        tree,
        keeps: None,
        store: Store::default(),
        pieces: Arc::default(),
    };
    for (how, run) in [
        ("interpreted", base().no_jit()),
        ("on two threads", base().jobs(2).piece_size(piece_size)),
        ("interpreted on three", base().jobs(3).piece_size(piece_size).no_jit()),
        ("elsewhere", base().piece_size(piece_size).cluster(machines, SerialRest::Allowed)),
    ] {
        assert_eq!(result(&program, run), expected, "{program:?} {how}, in pieces of {piece_size}");
    }
    expected.1
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, ..ProptestConfig::default() })]

    #[test]
    fn sums_do_not_depend_on_pieces(
        program in prop::sample::select(SUMS),
        mut numbers in proptest::collection::vec(any_number(), 0..120),
        special in prop::sample::select(&[0.0, 0.0, f64::INFINITY, f64::NAN][..]),
        piece_size in prop_oneof![1_usize..10, 10_usize..400, Just(100_000)],
        tree in tree(),
    ) {
        if special != 0.0 {
            numbers.insert(numbers.len() / 2, special);
        }
        sums_everywhere(program, &numbers, piece_size, tree);
    }

    #[test]
    fn sums_are_the_exact_ones_rounded_once(
        // In units of 2^-30, up to 2^81.
        units in proptest::collection::vec((-(1_i128 << 53)..1 << 53, 0..58_u32), 1..80),
        piece_size in 1_usize..400,
        tree in tree(),
    ) {
        let unit = f64::powi(2.0, -30);
        let units: Vec<i128> = units.iter().map(|(digits, shift)| digits << shift).collect();
        let numbers: Vec<f64> = units.iter().map(|&units| units as f64 * unit).collect();
        let printed = sums_everywhere(SUMS[0], &numbers, piece_size, tree);
        let exact = units.iter().sum::<i128>() as f64 * unit;
        prop_assert_eq!(printed.trim().parse(), Ok(exact));
    }
}

/// A run in pieces of 1,000 bytes, and how many other machines have run.
fn run_elsewhere(
    program: &Program,
    path: &Path,
    rest: SerialRest,
) -> (Result<Outcome, RunError>, usize) {
    let tree = Tree { choices: vec![0], left: 1, strands: None };
    let machines = Machines {
        program: program.clone(),
        tree,
        keeps: None,
        store: Store::default(),
        pieces: Arc::default(),
    };
    let run = Run::new()
        .operands([path.to_str().unwrap()])
        .piece_size(1000)
        .cluster(machines.clone(), rest);
    let ended = program.run(run);
    let pieces = *machines.pieces.lock().unwrap();
    (ended, pieces)
}

#[test]
fn most_of_the_input_is_run_elsewhere() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("in");
    std::fs::write(&path, "tea 1\nmilk 2\n".repeat(1000)).unwrap();
    for program in PROGRAMS.iter().filter(|program| {
        !["exit", "/ 4", "stderr", "RS = \"\""].iter().any(|word| program.contains(word))
    }) {
        let program = Program::compile(*program).unwrap();
        let (ended, pieces) = run_elsewhere(&program, &path, SerialRest::Allowed);
        ended.unwrap();
        assert!(pieces >= 10, "{}", String::from_utf8_lossy(&program.format()));
    }
}

#[test]
fn what_cannot_run_in_pieces_is_refused_with_its_reason() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("in");
    std::fs::write(&path, "1.5 1\n2 2\n".repeat(1000)).unwrap();
    for (text, reason) in [
        ("{ print last; last = $1 }", "its value comes from other records"),
        ("{ s += $1 } END { print s }", "fractions in s"),
        ("!seen[$1]++", "dropped only from plain text, on one machine"),
        ("BEGIN { RS = \"^a\" } { n++ } END { print n }", "RS does not show where records begin"),
    ] {
        let program = Program::compile(text).unwrap();
        let (ended, _) = run_elsewhere(&program, &path, SerialRest::Refused);
        let error = ended.unwrap_err().to_string();
        assert!(error.contains(reason), "{text}: {error}");
    }
}

/// A start and a piece.
type Messages = (Vec<u8>, Vec<u8>);

/// As a cluster gets them.
fn messages(program: &Program, path: &str, store: &Store) -> Messages {
    #[derive(Clone, Default)]
    struct Recorder(Arc<Mutex<Option<Messages>>>);
    impl Cluster for Recorder {
        fn count(&self, _: &[u8], _: &[Vec<u8>]) -> Result<Vec<u64>, String> {
            Err("not now".into())
        }
        fn run(&self, start: &[u8], pieces: &[Vec<u8>]) -> Result<Vec<Vec<u8>>, String> {
            *self.0.lock().unwrap() = Some((start.to_vec(), pieces[0].clone()));
            Err("not now".into())
        }
        fn insert(&self, _: &[u8]) -> Result<(), String> {
            Err("not now".into())
        }
    }
    let recorder = Recorder::default();
    let run = Run::new()
        .operands([path])
        .operand_files(store.clone())
        .piece_size(100)
        .cluster(recorder.clone(), SerialRest::Allowed);
    let error = program.run(run).unwrap_err();
    assert!(error.to_string().contains("not now"), "{error}");
    recorder.0.lock().unwrap().take().unwrap()
}

#[test]
fn changed_files_and_other_programs_are_noticed() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("in");
    let name = path.to_str().unwrap();
    std::fs::write(&path, "tea 1\n".repeat(1000)).unwrap();
    let program = Program::compile("{ n[$1]++ } END { print n[\"tea\"] }").unwrap();
    let (start, piece) = messages(&program, name, &Store::default());
    let mut worker = program.piece_worker(&start).unwrap();
    assert!(worker.run(&piece).is_ok());
    let other = Program::compile("{ n[$1]++ } END { print n[\"milk\"] }").unwrap();
    let error = other.piece_worker(&start).unwrap_err().to_string();
    assert!(error.contains("not the one that leads"), "{error}");

    std::fs::write(&path, "milk 1\n".repeat(1000)).unwrap();
    let error = worker.run(&piece).unwrap_err().to_string();
    assert!(
        error.contains("has changed during the run: it had 6000 bytes and has 7000"),
        "{error}"
    );
    std::fs::remove_file(&path).unwrap();
    let error = worker.count(&piece).unwrap_err().to_string();
    assert!(error.starts_with("cannot open"), "{error}");
}

#[test]
fn damaged_bytes_and_other_versions_are_errors() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("in");
    std::fs::write(&path, "tea 1\nmilk 1.5\n".repeat(1000)).unwrap();
    let program =
        Program::compile("{ n[$1]++; m[$1] = $2; last = $0 } END { print last }").unwrap();
    let (start, piece) = messages(&program, path.to_str().unwrap(), &Store::default());
    let mut worker = program.piece_worker(&start).unwrap();
    let parcel = worker.run(&piece).unwrap();
    for (message, kind) in [(&start, 0), (&piece, 1), (&parcel, 2)] {
        let mut read = |bytes: &[u8]| match kind {
            0 => program.piece_worker(bytes).err(),
            1 => worker.count(bytes).err(),
            _ => worker.join(&[bytes]).err(),
        };
        assert_eq!(read(message), None);
        for at in 0..message.len() {
            let mut changed = message.clone();
            changed[at] ^= 1 << (at % 8);
            assert!(read(&changed).is_some(), "message {kind} with byte {at} changed");
            assert!(read(&message[..at]).is_some(), "message {kind} cut after {at}");
        }
        assert!(read(&[message, &b"x"[..]].concat()).is_some());
        let mut other = message.clone();
        // After the letters and the kind.
        other[5] = 9;
        let error = read(&other).unwrap().to_string();
        let ours = env!("CARGO_PKG_VERSION");
        assert!(
            error.contains(&format!("Riverhawk {ours} (format 9)"))
                && error.contains(&format!("this is Riverhawk {ours}")),
            "{error}"
        );
    }
}

/// How many pieces other machines run of these files, and what is printed.
fn elsewhere(program: &str, store: &Store, names: &[&str]) -> (Result<Outcome, RunError>, usize) {
    let program = Program::compile(program).unwrap();
    let machines = Machines {
        program: program.clone(),
        tree: Tree { choices: vec![0], left: 1, strands: None },
        keeps: None,
        store: store.clone(),
        pieces: Arc::default(),
    };
    let run = Run::new()
        .operands(names.iter().copied())
        .operand_files(store.clone())
        .piece_size(1000)
        .cluster(machines.clone(), SerialRest::Refused);
    let ended = program.run(run);
    let pieces = *machines.pieces.lock().unwrap();
    (ended, pieces)
}

#[test]
fn compressed_files_are_a_piece_each_and_run_elsewhere() {
    let store = Store::default();
    let text = (0..40_000).map(|n| format!("{} {n}\n", n * 7919 % 10_007)).collect::<String>();
    for name in ["store:a", "store:b", "store:c"] {
        store.put(name, compressed(&text), 1);
    }
    let names = ["store:a", "store:b", "store:c"];
    let (ended, pieces) = elsewhere("{ n++ } END { print n, NR, FNR }", &store, &names);
    assert_eq!((ended.unwrap().text(), pieces), ("120000 120000 40000\n".into(), 3));
    // END reads the last record, so the leader reads its file.
    let (ended, pieces) = elsewhere("{ n++ } END { print n, $2 }", &store, &names);
    assert_eq!((ended.unwrap().text(), pieces), ("120000 39999\n".into(), 2));
    let (ended, pieces) = elsewhere("NR % 40000 == 1 { print NR, FNR, $0 }", &store, &names);
    let expected = "1 1 0 0\n40001 1 0 0\n80001 1 0 0\n";
    assert_eq!((ended.unwrap().text(), pieces), (expected.into(), 3));

    let mut damaged = compressed(&text);
    let half = damaged.len() / 2;
    damaged.truncate(half);
    store.put("store:b", damaged, 2);
    let (ended, _) = elsewhere("{ n++ } END { print n }", &store, &names);
    let error = ended.unwrap_err().to_string();
    assert!(error.contains("store:b any further") && error.contains("ends too soon"), "{error}");
}

#[test]
fn blocks_of_compressed_files_are_run_elsewhere() {
    let store = Store::default();
    let text = (0..40_000).map(|n| format!("{} {n}\n", n * 7919 % 10_007)).collect::<String>();
    let blocks = |text: &str| text.as_bytes().chunks(5000).flat_map(bgzip_member).collect();
    store.put("store:a", blocks(&text), 1);
    let (ended, pieces) = elsewhere("{ n++ } END { print n, NR, $2 }", &store, &["store:a"]);
    assert_eq!(ended.unwrap().text(), "40000 40000 39999\n");
    assert!(pieces > 40, "{pieces} pieces");

    // What looks like blocks in the midst of one: bytes that are stored as they are.
    let bait: Vec<u8> = (0..8).flat_map(|_| bgzip_member(b"bait 1\n")).collect();
    let held = stored_member(&[&text.as_bytes()[..3000], &bait, b"\n"].concat());
    let mut file: Vec<u8> = blocks(&text[..100_000]);
    let at = file.len();
    file.extend(held);
    file.extend::<Vec<u8>>(blocks(&text[100_000..]));
    assert!(file[at..].windows(bait.len()).any(|found| found == bait));
    store.put("store:a", file, 2);
    for program in ["{ n += $2 } END { print n, NR }", "{ print }"] {
        let serial = Program::compile(program).unwrap();
        let expected = serial.run(Run::new().operands(["store:a"]).operand_files(store.clone()));
        let (ended, _) = elsewhere(program, &store, &["store:a"]);
        assert!(ended.unwrap().stdout == expected.unwrap().stdout, "{program}");
    }
}

#[test]
fn a_file_elsewhere_that_is_missing_or_changes_is_an_error() {
    let store = Store::default();
    store.put("store:a", b"tea 1\n".repeat(1000), 1);
    let (ended, pieces) = elsewhere("{ n++ } END { print n }", &store, &["store:a"]);
    assert_eq!((ended.unwrap().text(), pieces > 3), ("1000\n".into(), true));
    let (ended, _) = elsewhere("{ n++ } END { print n }", &store, &["store:a", "store:none"]);
    let error = ended.unwrap_err().to_string();
    assert!(error.contains("store:none") && error.contains("not in the store"), "{error}");
    let program = Program::compile("{ n++ } END { print n }").unwrap();
    let (start, piece) = messages(&program, "store:a", &store);
    store.put("store:a", b"ink 1\n".repeat(1000), 2);
    let mut worker = program.piece_worker_with(&start, store).unwrap();
    let error = worker.run(&piece).unwrap_err().to_string();
    assert!(error.contains("store:a has changed during the run"), "{error}");
}

//! Every row of the corpus whose program can run in pieces gives the same in pieces, run as on other
//! machines.

use riverhawk::pieces::{Cluster, PieceError, SerialRest};
use riverhawk::{Outcome, Program, Run};
use riverhawk_tests::scratch::Scratch;
use riverhawk_tests::{Row, load};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Machines that know nothing of each other: every second piece goes to another one.
struct Machines {
    program: Program,
    pieces: Arc<AtomicUsize>,
}

impl Machines {
    fn parcels(&self, start: &[u8], pieces: &[Vec<u8>]) -> Result<Vec<Vec<u8>>, PieceError> {
        let mut machines = [self.program.piece_worker(start)?, self.program.piece_worker(start)?];
        self.pieces.fetch_add(pieces.len(), Ordering::Relaxed);
        let mut parcels = Vec::new();
        for (at, piece) in pieces.iter().enumerate() {
            parcels.push(machines[at % 2].run(piece)?);
        }
        let half = parcels.len() / 2;
        Ok(vec![machines[0].join(&parcels[..half])?, machines[1].join(&parcels[half..])?])
    }
}

impl Cluster for Machines {
    fn count(&self, start: &[u8], pieces: &[Vec<u8>]) -> Result<Vec<u64>, String> {
        let mut worker = self.program.piece_worker(start).map_err(|error| error.to_string())?;
        let counts = pieces.iter().map(|piece| worker.count(piece));
        counts.collect::<Result<_, PieceError>>().map_err(|error| error.to_string())
    }

    fn run(&self, start: &[u8], pieces: &[Vec<u8>]) -> Result<Vec<Vec<u8>>, String> {
        self.parcels(start, pieces).map_err(|error| error.to_string())
    }

    fn insert(&self, _: &[u8]) -> Result<(), String> {
        Err("no output was kept elsewhere".to_owned())
    }
}

/// What a run gives, and how its error is called.
fn result(program: &Program, run: Run) -> (Outcome, Vec<String>, String) {
    let (outcome, error) = match program.run(run.keep_variables()) {
        Ok(outcome) => (outcome, String::new()),
        Err(error) => (error.outcome().clone(), error.to_string()),
    };
    let variables = outcome.variables().map(|variable| format!("{variable:?}")).collect();
    (outcome, variables, error)
}

#[test]
fn rows_in_pieces_give_what_one_run_gives() {
    let files = load::load(&[]).unwrap();
    let scratch = Scratch::new().unwrap();
    let (mut rows, pieces) = (0, Arc::default());
    let is_simple = |row: &&Row| row.args.is_empty() && row.env.is_empty() && row.files.is_empty();
    for row in files.iter().flat_map(|file| file.rows()).filter(is_simple) {
        let (Some(text), Some(input)) = (&row.program, &row.input) else { continue };
        let Ok(program) = Program::compile(text.clone()) else { continue };
        if program.piece_needs().is_err() {
            continue;
        }
        rows += 1;
        // More records than the first and the last, which the leader runs.
        let path = scratch.file("input", input.repeat(4)).unwrap();
        let path = path.to_str().unwrap();
        let base = || Run::new().operands([path]).environment([("LC_ALL", "en_US.UTF-8")]);
        let expected = result(&program, base());
        for piece_size in [1, 5] {
            let machines = Machines { program: program.clone(), pieces: Arc::clone(&pieces) };
            let run = base().piece_size(piece_size).cluster(machines, SerialRest::Allowed);
            let found = result(&program, run);
            let same = (found.0.status, &found.0.stdout, &found.0.stderr, found.0.records)
                == (expected.0.status, &expected.0.stdout, &expected.0.stderr, expected.0.records)
                && (&found.1, &found.2) == (&expected.1, &expected.2);
            assert!(same, "{} in pieces of {piece_size}: {found:?} is not {expected:?}", row.id());
        }
    }
    let pieces = pieces.load(Ordering::Relaxed);
    assert!(rows > 300 && pieces > 600, "{rows} rows in {pieces} pieces");
}

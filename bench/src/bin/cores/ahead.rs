//! Whether reading ahead on the pool pays: the blocks of a file, read in turn or one ahead, with
//! little work for each byte (counting lines) and with more (adding up bytes after each newline).

use crate::Row;
use riverhawk_pool::{Pool, blocking};
use std::error::Error;
use std::fs::File;
use std::hint::black_box;
use std::io::Read;
use std::path::Path;
use std::sync::mpsc;
use std::time::{Duration, Instant};

type Work = fn(&[u8]) -> u64;

/// A reader's window, in bytes.
const BLOCK: usize = 256 * 1024;

pub(crate) fn rows(data: &Path, rounds: u32) -> Result<Vec<Row>, Box<dyn Error>> {
    let pool = Pool::new();
    let mut rows = Vec::new();
    let works: [(&str, Work); 2] = [("a count of lines", lines), ("a sum for each line", sums)];
    for (name, work) in works {
        let mut best = [Duration::MAX; 2];
        for _ in 0..rounds {
            let start = Instant::now();
            let in_turn = in_turn(data, work)?;
            best[0] = best[0].min(start.elapsed());
            let start = Instant::now();
            let ahead = one_ahead(&pool, data, work)?;
            best[1] = best[1].min(start.elapsed());
            if in_turn != ahead {
                return Err("reading ahead has read something else".into());
            }
        }
        let [in_turn, ahead] = best.map(|time| time.as_secs_f64() * 1e3);
        rows.push(Row {
            name: format!("{name}, the next block read ahead"),
            value: ahead,
            peer: Some(in_turn),
            against: "in turn",
            unit: "ms",
            goal: "less than in turn, to be worth it",
            reached: ahead < in_turn,
        });
    }
    Ok(rows)
}

fn in_turn(data: &Path, work: Work) -> std::io::Result<u64> {
    let mut file = File::open(data)?;
    let mut block = vec![0; BLOCK];
    let mut sum = 0;
    loop {
        match file.read(&mut block)? {
            0 => return Ok(sum),
            count => sum += black_box(work(&block[..count])),
        }
    }
}

/// Two blocks circulate between a task that fills them and the thread that works on them.
fn one_ahead(pool: &Pool, data: &Path, work: Work) -> Result<u64, Box<dyn Error>> {
    let mut file = File::open(data)?;
    let ((empty, fill), (full, take)) =
        (mpsc::channel::<Vec<u8>>(), mpsc::channel::<(Vec<u8>, usize)>());
    (0..2).try_for_each(|_| empty.send(vec![0; BLOCK]))?;
    pool.run(move || {
        while let Ok(mut block) = blocking(|| fill.recv()) {
            let count = file.read(&mut block).unwrap_or(0);
            if full.send((block, count)).is_err() || count == 0 {
                return;
            }
        }
    });
    let mut sum = 0;
    loop {
        let (block, count) = take.recv()?;
        if count == 0 {
            return Ok(sum);
        }
        sum += black_box(work(&block[..count]));
        // At the end no task is left to fill it.
        let _ = empty.send(block);
    }
}

fn lines(block: &[u8]) -> u64 {
    block.iter().map(|&byte| u64::from(byte == b'\n')).sum()
}

fn sums(block: &[u8]) -> u64 {
    block
        .split(|&byte| byte == b'\n')
        .map(|line| line.iter().fold(0, |sum, &byte| sum * 31 % 65_521 + u64::from(byte)))
        .sum()
}

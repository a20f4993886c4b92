//! The running mutant: `RIVERHAWK_MUTANT` is its number, 0 for none. `RIVERHAWK_REACHED` names a
//! file for the numbers that are tested.

use std::io::Write;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering::Relaxed};

const UNREAD: u32 = u32::MAX;
const WATCHED: u32 = u32::MAX - 1;

static CHOSEN: AtomicU32 = AtomicU32::new(UNREAD);
static REACHED: [AtomicBool; 1 << 14] = [const { AtomicBool::new(false) }; 1 << 14];

#[inline]
pub(crate) fn mutant(number: u32) -> bool {
    match CHOSEN.load(Relaxed) {
        UNREAD | WATCHED => asked(number),
        chosen => chosen == number,
    }
}

#[cold]
fn asked(number: u32) -> bool {
    let Some(file) = std::env::var_os("RIVERHAWK_REACHED") else {
        let chosen = std::env::var("RIVERHAWK_MUTANT").ok().and_then(|number| number.parse().ok()).unwrap_or(0);
        CHOSEN.store(chosen, Relaxed);
        return chosen == number;
    };
    CHOSEN.store(WATCHED, Relaxed);
    if !REACHED[number as usize].swap(true, Relaxed)
        && let Ok(mut file) = std::fs::OpenOptions::new().create(true).append(true).open(file)
    {
        let _ = file.write_all(format!("{number}\n").as_bytes());
    }
    false
}

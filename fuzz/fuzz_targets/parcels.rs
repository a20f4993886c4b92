//! Any bytes as what goes to other machines and comes back: an error, or a message that is written
//! as it was read.
//!
//! Input: one byte for the kind, the body of the message.

#![cfg_attr(fuzzing, no_main)]

use riverhawk_parallel::wire::{Message, Wire, checksum};
use riverhawk_parallel::{FilePiece, Parcel, Start};

/// With a header that fits, which no fuzzer would find.
fn message(kind: u8, body: &[u8]) -> Vec<u8> {
    let valid = Start::default();
    let mut message = valid.to_bytes();
    let mut body_of_valid = Vec::new();
    valid.write(&mut body_of_valid);
    message.truncate(message.len() - body_of_valid.len() - 16);
    message[4] = kind;
    message.extend((body.len() as u64).to_le_bytes());
    message.extend(checksum(body).to_le_bytes());
    message.extend(body);
    message
}

fn check<T: Message>(body: &[u8]) {
    let Ok(read) = T::from_bytes(&message(T::KIND, body)) else { return };
    let written = read.to_bytes();
    let again = T::from_bytes(&written).expect("what was written");
    assert_eq!(again.to_bytes(), written);
}

riverhawk_fuzz::target!(|input: &[u8]| {
    let Some((&kind, body)) = input.split_first() else { return };
    match kind % 3 {
        0 => check::<Start>(body),
        1 => check::<FilePiece>(body),
        _ => {
            check::<Parcel>(body);
            let strands = [body; 2].map(|body| Parcel::from_bytes(&message(Parcel::KIND, body)));
            if let [Ok(first), Ok(second)] = strands
                && let Ok(united) = Parcel::unite(vec![first, second])
            {
                Parcel::from_bytes(&united.to_bytes()).expect("what was written");
            }
        }
    }
    let _ = Parcel::from_bytes(input);
});

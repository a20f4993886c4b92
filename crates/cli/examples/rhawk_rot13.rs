//! rhawk with another encoding: `rhawk_rot13 --encoding=rot13 1 file`. The new name also works in
//! `ENCODING`, `--output-encoding` and `text::decode`.

use riverhawk::engine::encoding::{Decode, Decoded, Encode, Encoded, Encoding, Encodings};

#[derive(Clone)]
struct Rot13;

fn turned(c: char) -> char {
    match c {
        'a'..='m' | 'A'..='M' => (c as u8 + 13).into(),
        'n'..='z' | 'N'..='Z' => (c as u8 - 13).into(),
        _ => c,
    }
}

impl Encoding for Rot13 {
    fn name(&self) -> &str {
        "rot13"
    }

    fn decoder(&self) -> Box<dyn Decode> {
        Box::new(Rot13)
    }

    fn encoder(&self) -> Box<dyn Encode> {
        Box::new(Rot13)
    }
}

impl Decode for Rot13 {
    fn decode(&mut self, input: &[u8], text: &mut String) -> Decoded {
        let ascii = input.iter().take_while(|byte| byte.is_ascii()).count();
        text.extend(input[..ascii].iter().map(|byte| turned((*byte).into())));
        Decoded { consumed: ascii, undecodable: (ascii < input.len()).into() }
    }

    fn fork(&self) -> Box<dyn Decode> {
        Box::new(self.clone())
    }
}

impl Encode for Rot13 {
    fn encode(&mut self, text: &str, bytes: &mut Vec<u8>) -> Encoded {
        for (at, character) in text.char_indices() {
            if !character.is_ascii() {
                return Encoded::Unmappable { at, character };
            }
            bytes.push(turned(character) as u8);
        }
        Encoded::All
    }
}

fn main() -> std::process::ExitCode {
    let mut encodings = Encodings::new();
    encodings.add(Rot13).expect("no other encoding has this name");
    riverhawk_cli::command::run_with(std::env::args_os().collect(), Some(encodings)).into()
}

//! Times of reading the lines of a file in each encoding, with this crate and others.
//!
//! `cargo run --release -p riverhawk-text --example decode_speed [FILE [RUNS [WAY]]]` reads FILE
//! (mostly UTF-8; by default a million lines of 60 characters) and sums the lengths of its lines.
//! It prints the minimum of RUNS times for each reader whose name contains WAY; the readers take
//! turns.

use encoding_rs_io::DecodeReaderBytesBuilder;
use riverhawk_text::decoder::{Decoder, TextReader};
use riverhawk_text::encoding::{Encoder, Encoding, Encodings, Policy, Text, Utf8, Utf8Clean8};
use std::error::Error;
use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

type Sum = Result<u64, Box<dyn Error>>;

struct Way {
    name: String,
    file: PathBuf,
    run: Box<dyn Fn(&Path) -> Sum>,
    /// Whether it sums all text, not only lines.
    is_whole: bool,
}

fn lines<T: Text>(decoder: Decoder<T>, path: &Path) -> Sum {
    let mut reader = TextReader::new(decoder, File::open(path)?);
    let mut sum = 0;
    while let Some(line) = reader.read_line()? {
        sum += line.as_ref().len() as u64;
    }
    Ok(sum)
}

fn each_line<T: Text>(decoder: Decoder<T>, path: &Path) -> Sum {
    let mut sum = 0;
    TextReader::new(decoder, File::open(path)?).for_each_line(|line| {
        sum += line.as_ref().len() as u64;
        true
    })?;
    Ok(sum)
}

fn read_line(mut source: impl BufRead) -> Sum {
    let (mut line, mut sum) = (String::new(), 0);
    while source.read_line(&mut line)? > 0 {
        sum += line.trim_end_matches(['\r', '\n']).len() as u64;
        line.clear();
    }
    Ok(sum)
}

fn memchr_loop(path: &Path) -> Sum {
    let mut file = File::open(path)?;
    let (mut buffer, mut filled, mut sum) = (vec![0; 256 * 1024], 0, 0);
    loop {
        let read = file.read(&mut buffer[filled..])?;
        filled += read;
        let mut from = 0;
        while let Some(length) = memchr::memchr(b'\n', &buffer[from..filled]) {
            sum += std::str::from_utf8(&buffer[from..from + length])?.len() as u64;
            from += length + 1;
        }
        if read == 0 {
            return Ok(sum + std::str::from_utf8(&buffer[from..filled])?.len() as u64);
        }
        buffer.copy_within(from..filled, 0);
        filled -= from;
        if filled == buffer.len() {
            buffer.resize(2 * filled, 0);
        }
    }
}

fn transcode(encoding: impl Encoding + 'static, path: &Path) -> Sum {
    let mut file = File::open(path)?;
    let mut decoder = Decoder::bytes(encoding).with_policy(Policy::Replace);
    let (mut out, mut sum) = (Vec::new(), 0);
    loop {
        let read = decoder.fill_from(&mut file)?;
        decoder.take_available_into(&mut out)?;
        if read == 0 {
            return Ok(sum + out.len() as u64);
        }
        sum += out.len() as u64;
        out.clear();
    }
}

fn encode(encoding: impl Encoding + 'static, path: &Path) -> Sum {
    let mut file = File::open(path)?;
    let mut encoder = Encoder::new(encoding).with_policy(Policy::Replace);
    let (mut buffer, mut out, mut sum) = (vec![0; 64 * 1024], Vec::new(), 0);
    loop {
        let read = file.read(&mut buffer)?;
        if read == 0 {
            encoder.finish(&mut out)?;
            return Ok(sum + out.len() as u64);
        }
        encoder.push(&buffer[..read], &mut out)?;
        sum += out.len() as u64;
        out.clear();
    }
}

fn drain(mut source: impl Read) -> Sum {
    let (mut buffer, mut sum) = (vec![0; 64 * 1024], 0);
    loop {
        match source.read(&mut buffer)? {
            0 => return Ok(sum),
            read => sum += read as u64,
        }
    }
}

fn encoding_rs_io(label: &str, path: &Path) -> Result<impl Read + use<>, Box<dyn Error>> {
    let table = encoding_rs::Encoding::for_label(label.as_bytes());
    Ok(DecodeReaderBytesBuilder::new().encoding(table).build(File::open(path)?))
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let folder = std::env::temp_dir().join(format!("decode_speed.{}", std::process::id()));
    std::fs::create_dir_all(&folder)?;
    let file = match arguments.next() {
        Some(file) => PathBuf::from(file),
        None => {
            let file = folder.join("lines");
            let line = "the quick brown fox jumps over the lazy dog, and over again\n";
            std::fs::write(&file, line.repeat(1_000_000))?;
            file
        }
    };
    let runs: usize = arguments.next().map_or(Ok(20), |runs| runs.parse())?;
    let wanted = arguments.next().unwrap_or_default();
    let encodings = Encodings::new();
    let get = |name: &str| encodings.get(name).ok_or("no such encoding");

    let raw = std::fs::read(&file)?;
    let text = String::from_utf8_lossy(&raw);
    let mut files = Vec::new();
    for name in ["utf-8", "ascii", "iso-8859-1", "windows-1252", "utf-16le"] {
        let mut bytes = Vec::new();
        let mut encoder = Encoder::new(get(name)?).with_policy(Policy::Replace);
        encoder.push_str(&text, &mut bytes)?;
        encoder.finish(&mut bytes)?;
        let path = folder.join(name);
        std::fs::write(&path, if name == "utf-8" { &raw } else { &bytes })?;
        files.push((name, path));
    }
    drop(text);
    drop(raw);
    let path_of = |name: &str| {
        let own = files.iter().find(|(n, _)| *n == name).or(files.first());
        own.map_or(&file, |(_, path)| path).clone()
    };

    let mut ways = Vec::new();
    let mut way = |name: &str, encoding: &str, is_whole: bool, run: Box<dyn Fn(&Path) -> Sum>| {
        ways.push(Way { name: name.to_owned(), file: path_of(encoding), run, is_whole });
    };
    way("read only", "utf-8", true, Box::new(|path| drain(File::open(path)?)));
    way(
        "BufRead::read_line, reused String",
        "utf-8",
        false,
        Box::new(|p| read_line(BufReader::new(File::open(p)?))),
    );
    way("memchr + from_utf8 each line", "utf-8", false, Box::new(memchr_loop));
    for name in ["utf-8", "windows-1252", "utf-16le"] {
        let label = format!("encoding_rs_io {name}, BufRead::read_line");
        way(
            &label,
            name,
            false,
            Box::new(move |path| read_line(BufReader::new(encoding_rs_io(name, path)?))),
        );
    }
    way("lines utf-8", "utf-8", false, Box::new(|path| lines(Decoder::new(Utf8), path)));
    way(
        "lines utf-8, replacing",
        "utf-8",
        false,
        Box::new(|path| lines(Decoder::new(Utf8).with_policy(Policy::Replace), path)),
    );
    way(
        "lines utf-8-c8 as bytes",
        "utf-8",
        false,
        Box::new(|path| lines(Decoder::bytes(Utf8Clean8), path)),
    );
    way("each line utf-8", "utf-8", false, Box::new(|path| each_line(Decoder::new(Utf8), path)));
    way(
        "each line utf-8-c8 as bytes",
        "utf-8",
        false,
        Box::new(|path| each_line(Decoder::bytes(Utf8Clean8), path)),
    );
    for name in ["utf-8-c8", "ascii", "iso-8859-1", "windows-1252", "utf-16le"] {
        let encoding = get(name)?;
        way(
            &format!("lines {name}"),
            name,
            false,
            Box::new(move |path| lines(Decoder::new(encoding.clone()), path)),
        );
    }
    for name in ["utf-8", "utf-8-c8", "iso-8859-1", "windows-1252", "utf-16le"] {
        let encoding = get(name)?;
        way(
            &format!("transcode {name}"),
            name,
            true,
            Box::new(move |path| transcode(encoding.clone(), path)),
        );
    }
    for name in ["utf-8", "windows-1252", "utf-16le"] {
        let label = format!("encoding_rs_io {name}, read");
        way(&label, name, true, Box::new(move |path| drain(encoding_rs_io(name, path)?)));
    }
    for name in ["utf-8-c8", "iso-8859-1", "windows-1252", "utf-16le"] {
        let encoding = get(name)?;
        way(
            &format!("encode {name}"),
            "utf-8",
            true,
            Box::new(move |path| encode(encoding.clone(), path)),
        );
    }

    let mut index = 0;
    ways.retain(|way| {
        index += 1;
        index <= 2 || way.name.contains(&wanted)
    });
    let mut best = vec![Duration::MAX; ways.len()];
    let mut sums = vec![0; ways.len()];
    for _ in 0..runs {
        for (index, way) in ways.iter().enumerate() {
            let start = Instant::now();
            if let Ok(sum) = (way.run)(&way.file) {
                sums[index] = sum;
                best[index] = best[index].min(start.elapsed());
            }
        }
    }
    let baseline = best[1].as_secs_f64();
    println!("{:>9} {:>9} {:>12}  way ({})", "ms", "x", "bytes", file.display());
    for (index, way) in ways.iter().enumerate() {
        let seconds = best[index].as_secs_f64();
        if best[index] == Duration::MAX {
            println!("{:>9} {:>9} {:>12}  {}", "-", "-", "refused", way.name);
            continue;
        }
        let ratio = if way.is_whole || best[1] == Duration::MAX {
            "-".to_owned()
        } else {
            format!("{:.2}", baseline / seconds)
        };
        println!("{:>9.2} {ratio:>9} {:>12}  {}", seconds * 1e3, sums[index], way.name);
    }
    std::fs::remove_dir_all(&folder)?;
    Ok(())
}

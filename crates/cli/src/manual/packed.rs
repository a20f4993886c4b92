//! Chapters as the command carries them: compressed, where it can read compressed files.

/// The text of a chapter in `docs`, for [`unpacked`].
#[cfg(feature = "compress")]
macro_rules! chapter {
    ($path:literal) => {
        include_bytes!(concat!(env!("OUT_DIR"), "/manual/", $path))
    };
}
#[cfg(not(feature = "compress"))]
macro_rules! chapter {
    ($path:literal) => {
        include_bytes!(concat!("../../manual/", $path))
    };
}
pub(super) use chapter;

#[cfg(feature = "compress")]
pub(super) fn unpacked(chapter: &[u8]) -> String {
    let mut text = String::new();
    let read = std::io::Read::read_to_string(
        &mut flate2::bufread::DeflateDecoder::new(chapter),
        &mut text,
    );
    read.expect("compressed by the build script");
    text
}

#[cfg(not(feature = "compress"))]
pub(super) fn unpacked(chapter: &[u8]) -> String {
    String::from_utf8_lossy(chapter).into_owned()
}

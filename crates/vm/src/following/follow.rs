//! Reads the followed files that grow, in turn.

use super::{Followed, PATIENCE, Place, QUIET};
use crate::current::CurrentRecord;
use crate::file_rules::event::FileEvent;
use crate::main_input::MainInput;
use crate::outside::Outside;
use crate::runtime::Runtime;
use riverhawk_awkio::cancel;
use riverhawk_awkio::fault::Fallible;
use riverhawk_awkio::{FileName, Holder, News, OpenError, RecordReader, Tail, is_inet};
use riverhawk_syntax::ast::Special;
use std::time::Instant;

impl Runtime {
    pub(crate) fn follow_file(&mut self, name: &[u8]) -> Result<(), OpenError> {
        let opened = self.outside.io.open_tail(name)?;
        self.begin_following(name, opened);
        Ok(())
    }

    pub(crate) fn follow_stdin(&mut self) -> bool {
        let Ok(opened) = self.outside.io.open_tail(b"-") else { return false };
        let name = self.current.text_of(self.current.specials.value(Special::Filename));
        self.begin_following(&name, opened);
        true
    }

    fn begin_following(&mut self, name: &[u8], opened: (RecordReader, Tail)) {
        let argind = self.current.specials.value(Special::Argind).clone();
        let Some(following) = &mut self.main.following else { return };
        let file = following.file(name, argind, opened);
        self.read_followed(file);
    }

    fn read_followed(&mut self, mut file: Followed) {
        self.main.give_reader(file.reader.take());
        self.current.specials.store(Special::Argind, file.argind.clone());
        match file.place.take() {
            None => {
                self.current.begin_file(&mut self.arithmetic, &file.name);
                self.main.raise(FileEvent::Begun);
            }
            Some(Place { fnr, columns, header_is_due }) => {
                self.current.begin_file(&mut self.arithmetic, &file.name);
                self.current.specials.fnr = fnr;
                self.current.return_to_columns(&mut self.globals, &columns);
                self.current.columns.header_is_due = header_is_due;
            }
        }
        if let Some(following) = &mut self.main.following {
            following.current = Some(file);
        }
    }

    pub(crate) fn continue_following(&mut self) -> Fallible<bool> {
        loop {
            cancel::check()?;
            self.main.note_interrupt();
            let Some(following) = &mut self.main.following else { return Ok(false) };
            if let Some(at) = following.ready() {
                let file = following.files.remove(at);
                self.read_followed(file);
                return Ok(true);
            }
            if following.files.is_empty() {
                return Ok(false);
            }
            if self.main.notice_changes(&self.current, &mut self.outside)? {
                continue;
            }
            let Some(following) = &self.main.following else { return Ok(false) };
            let tails = following.files.iter().map(|file| &file.tail);
            following.watch.wait(tails, &mut self.outside.io.outputs)?;
        }
    }
}

impl MainInput {
    pub(crate) fn set_file_aside(&mut self, current: &CurrentRecord) {
        let reader = self.take_reader();
        let (columns, header_is_due) = (current.columns.known(), current.columns.header_is_due);
        let place = Place { fnr: current.specials.fnr, columns, header_is_due };
        let Some(following) = &mut self.following else { return };
        let Some(mut file) = following.current.take() else { return };
        (file.reader, file.place, file.quiet_since) = (reader, Some(place), Instant::now());
        following.files.push(file);
    }

    fn notice_changes(&mut self, current: &CurrentRecord, outside: &mut Outside) -> Fallible<bool> {
        let mut any = false;
        let mut at = 0;
        while let Some(file) = self.following.as_ref().and_then(|following| following.files.get(at))
        {
            if file.tail.news() == News::Truncated && !file.has_ended {
                self.notice_truncation(current, outside, at)?;
                any = true;
            } else if !file.has_successor {
                let holder = file.tail.holder();
                // A file that could not be opened may now be readable.
                if holder != file.holder || matches!(holder, Holder::Other(_)) {
                    any |= self.notice_holder(outside, at, holder)?;
                }
            }
            at += 1;
        }
        Ok(any)
    }

    fn notice_truncation(
        &mut self,
        current: &CurrentRecord,
        outside: &mut Outside,
        at: usize,
    ) -> Fallible<()> {
        let Some(file) = self.following.as_ref().and_then(|following| following.files.get(at))
        else {
            return Ok(());
        };
        let name = String::from_utf8_lossy(&file.name).into_owned();
        let again = outside.io.rewind(&file.tail);
        outside.warn(&format!("{name} has been truncated: reading it from its beginning"))?;
        match again {
            Ok(opened) => self.add_successor(at, opened),
            Err(error) => return Err(current.read_error(error)),
        }
        if let Some(file) =
            self.following.as_mut().and_then(|following| following.files.get_mut(at))
        {
            file.has_ended = true;
            file.tail.end();
        }
        Ok(())
    }

    fn notice_holder(
        &mut self,
        outside: &mut Outside,
        at: usize,
        holder: Holder,
    ) -> Fallible<bool> {
        let Some(file) = self.following.as_mut().and_then(|following| following.files.get_mut(at))
        else {
            return Ok(false);
        };
        let is_brief = |since: &mut Instant| since.elapsed() < QUIET;
        if holder == Holder::None && is_brief(file.gone_since.get_or_insert_with(Instant::now)) {
            return Ok(false);
        }
        file.gone_since = None;
        let is_known = std::mem::replace(&mut file.holder, holder) == holder;
        let name = file.name.clone();
        let shown = String::from_utf8_lossy(&name).into_owned();
        match holder {
            Holder::Same => Ok(false),
            Holder::None => {
                outside.warn(&format!(
                    "{shown} has been removed: waiting for a new file of that name"
                ))?;
                Ok(false)
            }
            Holder::NoFile => {
                outside
                    .warn(&format!("{shown} is no longer a regular file: waiting for a new one"))?;
                Ok(false)
            }
            Holder::Other(_) => match outside.io.open_tail(&name) {
                Ok(opened) => {
                    outside.warn(&format!("{shown} has been replaced: reading the new file"))?;
                    self.add_successor(at, opened);
                    Ok(true)
                }
                Err(_) if is_known => Ok(false),
                Err(error) => {
                    outside.warn(&format!("{shown} has been replaced: {error}"))?;
                    Ok(false)
                }
            },
        }
    }

    fn add_successor(&mut self, at: usize, opened: (RecordReader, Tail)) {
        let Some(following) = &mut self.following else { return };
        let Some(file) = following.files.get_mut(at) else { return };
        file.has_successor = true;
        let (id, name, argind) = (file.id, file.name.clone(), file.argind.clone());
        let mut next = following.file(&name, argind, opened);
        next.waits_for = Some((id, Instant::now() + PATIENCE));
        following.files.push(next);
    }
}

pub(crate) fn may_be_followed(name: &[u8]) -> bool {
    !matches!(FileName::for_reading(name), FileName::Standard(_)) && !is_inet(name)
}

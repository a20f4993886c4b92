//! A program run by hand, logging as an interpreter does.

use riverhawk_spesh::*;
use std::io::{self, Write};
use std::sync::{Arc, Condvar, Mutex};

pub fn facts(name: &str, parameters: &[&str]) -> FrameFacts {
    FrameFacts {
        name: name.into(),
        place: "prog.awk:1".into(),
        bytecode_bytes: 1_000,
        parameters: parameters.iter().map(|name| String::from(*name)).collect(),
        is_called: true,
        gains_from_types: true,
    }
}

pub fn blocking() -> Specialiser {
    let options = SpecialiserOptions { blocking: true, ..SpecialiserOptions::default() };
    Specialiser::with_dump(&options, NoProducer, None)
}

pub struct Thread {
    pub logger: Logger,
    pub stack: Vec<CorrelationId>,
}

impl Thread {
    pub fn new(specialiser: &Specialiser, kind: ThreadKind) -> Thread {
        Thread { logger: specialiser.logger(kind), stack: Vec::new() }
    }

    pub fn main(specialiser: &Specialiser) -> Thread {
        Thread::new(specialiser, ThreadKind::Main)
    }

    pub fn here(&self) -> CorrelationId {
        self.stack.last().copied().unwrap_or_default()
    }

    /// From `offset` if a frame runs.
    pub fn enter(&mut self, offset: u32, frame: &RegisteredFrame, types: &[Type]) {
        self.logger.invoke(self.here(), offset, frame);
        let correlation = self.logger.enter(frame, Callsite::intern(&shape(types)));
        for (index, ty) in (0..).zip(types) {
            self.logger.argument(correlation, index, *ty, None);
        }
        self.stack.push(correlation);
    }

    /// Returns to `offset` in the caller.
    pub fn leave(&mut self, offset: u32, ty: Option<Type>) {
        let left = self.stack.pop().unwrap();
        self.logger.leave(left, self.here(), offset, ty);
    }

    pub fn call(&mut self, offset: u32, frame: &RegisteredFrame, types: &[Type], ty: Type) {
        self.enter(offset, frame, types);
        self.leave(offset, Some(ty));
    }

    pub fn turn(&mut self, frame: &RegisteredFrame, times: u32) {
        for _ in 0..times {
            let here = self.stack.last_mut().unwrap();
            self.logger.looped(here, 8, frame);
        }
    }
}

pub fn shape(types: &[Type]) -> Vec<ArgumentShape> {
    let kind = |ty: &Type| match ty {
        Type::Array => ArgumentShape::Array,
        Type::Untyped => ArgumentShape::Untyped,
        _ => ArgumentShape::Scalar,
    };
    types.iter().map(kind).collect()
}

pub fn tuple(frame: &RegisteredFrame, types: &[Type]) -> TupleStatistics {
    let mut at = callsite(frame, types);
    at.by_tuple.remove(&TypeTuple(types.into())).expect("seen")
}

pub fn callsite(frame: &RegisteredFrame, types: &[Type]) -> CallsiteStatistics {
    let mut statistics = frame.statistics().expect("kept");
    statistics.by_callsite.remove(&Callsite::intern(&shape(types))).expect("seen")
}

/// A dump that can be read while it is written.
#[derive(Clone, Default)]
pub struct Paper(Arc<Mutex<Vec<u8>>>);

impl Paper {
    pub fn text(&self) -> String {
        String::from_utf8(self.0.lock().unwrap().clone()).unwrap()
    }
}

impl Write for Paper {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Holds a producer until opened.
#[derive(Clone, Default)]
pub struct Gate(Arc<(Mutex<bool>, Condvar)>);

impl Gate {
    pub fn open(&self) {
        *self.0.0.lock().unwrap() = true;
        self.0.1.notify_all();
    }

    pub fn close(&self) {
        *self.0.0.lock().unwrap() = false;
    }

    pub fn pass(&self) {
        let mut is_open = self.0.0.lock().unwrap();
        while !*is_open {
            is_open = self.0.1.wait(is_open).unwrap();
        }
    }
}

pub fn until(mut what: impl FnMut() -> bool) {
    while !what() {
        std::thread::yield_now();
    }
}

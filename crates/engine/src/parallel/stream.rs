//! The coordinator over a stream. A task of the pool reads parts, and the crew runs them as
//! pieces. The coordinator runs urgent pieces and the last, each in its turn.

use super::arrivals::{Arrivals, Remainder};
use super::coordinator::{Company, Continuation, Coordinator, Fatal, FileOrder, MAX_RERUNS};
use super::pieces::{Piece, PieceStart};
use super::worker::Job;
use riverhawk_parallel::{Stream, StreamCutter, StreamPart};
use riverhawk_pool::process;
use std::collections::VecDeque;
use std::io;
use std::sync::Arc;

/// Maximum size of a piece of a stream, which is in memory.
const MAX_BYTES: u64 = 1024 * 1024;

struct Waiting {
    piece: Arc<[u8]>,
    by: PieceRunner,
}

enum PieceRunner {
    /// The crew, by number.
    Crew(u64),
    /// The coordinator, with a number if there is a crew.
    Coordinator(Option<u64>),
    /// The coordinator; only an error may follow.
    CoordinatorLast(Option<io::Error>),
}

struct Course {
    arrivals: Arrivals,
    waiting: VecDeque<Waiting>,
    /// A part that waits until earlier ones have been run.
    held: Option<StreamPart>,
    company: Option<Company>,
    /// Whether the coordinator runs all of it.
    is_lead: bool,
    /// Number of pieces so far.
    given: u64,
    name: Arc<[u8]>,
}

impl Coordinator<'_> {
    pub(super) fn stream(&mut self, stream: Stream) -> Result<Continuation, Fatal> {
        let name: Arc<[u8]> = stream.name.as_slice().into();
        let is_lead = self.is_lead(PieceStart::of(stream.operand));
        self.machine.begin_file(stream.operand, &name);
        let pool = process::handle();
        let cut = self.machine.cut().filter(|_| pool.ensure_worker());
        let Some(cut) = cut else {
            self.machine.resume_stream(stream);
            return Ok(Continuation::Serial);
        };
        let size = self.jobs.piece_size.clamp(1, MAX_BYTES) as usize;
        let most = self.max_pending();
        let parts = StreamCutter::new(stream, cut.finder(), size);
        let arrivals = Arrivals::start(&pool, parts, most, self.helpers.helper());
        let mut course = Course {
            arrivals,
            waiting: VecDeque::new(),
            held: None,
            company: None,
            is_lead,
            given: 0,
            name,
        };
        let continuation = self.course(&mut course, most);
        if !matches!(continuation, Ok(Continuation::Serial)) {
            course.arrivals.end();
        }
        continuation
    }

    fn course(&mut self, course: &mut Course, most: usize) -> Result<Continuation, Fatal> {
        loop {
            while course.waiting.len() < most && self.accept(course) {}
            match course.waiting.pop_front() {
                Some(next) => {
                    if let Some(continuation) = self.run_next(course, next)? {
                        return Ok(continuation);
                    }
                }
                None => {
                    let arrivals = course.arrivals.clone();
                    self.machine.wait_for(&move |time| arrivals.wait(time))?;
                }
            }
        }
    }

    /// Queues the next part; false if there is none, or another must be run first.
    fn accept(&mut self, course: &mut Course) -> bool {
        let Some(part) = course.held.take().or_else(|| course.arrivals.take()) else {
            return false;
        };
        match part {
            StreamPart::Piece(piece) => {
                let wants_company = course.company.is_none() && !course.is_lead;
                if wants_company && !course.waiting.is_empty() {
                    // The crew starts from the state after the waiting ones.
                    course.held = Some(StreamPart::Piece(piece));
                    return false;
                }
                if wants_company && self.has_begun() {
                    course.company = self.company();
                }
                let by = match &mut course.company {
                    Some(company) => {
                        let job = Job {
                            number: course.given,
                            piece: Piece::of_memory(piece.clone()),
                            name: course.name.clone(),
                        };
                        company.crew.give(job);
                        course.given += 1;
                        PieceRunner::Crew(course.given - 1)
                    }
                    None => PieceRunner::Coordinator(None),
                };
                course.waiting.push_back(Waiting { piece, by });
            }
            StreamPart::AtOnce(piece) => {
                let number = course.company.is_some().then_some(course.given);
                course.given += u64::from(number.is_some());
                course.waiting.push_back(Waiting { piece, by: PieceRunner::Coordinator(number) });
            }
            StreamPart::Last(piece) => {
                course.waiting.push_back(Waiting { piece, by: PieceRunner::CoordinatorLast(None) })
            }
            StreamPart::Failed(piece, error) => {
                course
                    .waiting
                    .push_back(Waiting { piece, by: PieceRunner::CoordinatorLast(Some(error)) });
            }
        }
        true
    }

    /// Runs or joins the next piece; returns the continuation after the last.
    fn run_next(
        &mut self,
        course: &mut Course,
        next: Waiting,
    ) -> Result<Option<Continuation>, Fatal> {
        let number = match next.by {
            PieceRunner::CoordinatorLast(None) => {
                let continues = self
                    .machine
                    .run_range(self.source(&Piece::of_memory(next.piece)), self.watch)?;
                return Ok(Some(if continues {
                    Continuation::Operands
                } else {
                    Continuation::Exit
                }));
            }
            PieceRunner::CoordinatorLast(Some(error)) => {
                let parts = VecDeque::from([next.piece]);
                let rest = Remainder::new(parts, Some(error), course.arrivals.clone());
                self.machine.resume_with(rest, Box::new(|_| true));
                return Ok(Some(Continuation::Serial));
            }
            PieceRunner::Coordinator(number) => number,
            PieceRunner::Crew(number) => {
                if let Some(company) = &mut course.company {
                    let results = company.crew.take().flatten();
                    if self.take(&mut company.joiner, results, FileOrder::Last)?.is_some() {
                        return Ok(None);
                    }
                }
                self.reruns += 1;
                self.counts.rerun += 1;
                if self.reruns >= MAX_RERUNS {
                    self.alone.set(self.last);
                    return Ok(Some(self.the_rest_alone(course, Some(next.piece))));
                }
                Some(number)
            }
        };
        if !self.machine.run_range(self.source(&Piece::of_memory(next.piece)), self.watch)? {
            return Ok(Some(Continuation::Exit));
        }
        if self.machine.skipped_file() {
            return Ok(Some(Continuation::Operands));
        }
        if let (Some(company), Some(number)) = (&mut course.company, number) {
            self.pass(company, number);
            match self.joiner() {
                Some(joiner) => company.joiner = joiner,
                None => return Ok(Some(self.the_rest_alone(course, None))),
            }
        }
        Ok(None)
    }

    /// Continues as a serial run, with parts already taken and later ones.
    fn the_rest_alone(&mut self, course: &mut Course, first: Option<Arc<[u8]>>) -> Continuation {
        let mut parts: VecDeque<Arc<[u8]>> = first.into_iter().collect();
        let mut failure = None;
        for waiting in course.waiting.drain(..) {
            parts.push_back(waiting.piece);
            if let PieceRunner::CoordinatorLast(error) = waiting.by {
                failure = error;
            }
        }
        match course.held.take() {
            Some(StreamPart::Piece(part) | StreamPart::AtOnce(part) | StreamPart::Last(part)) => {
                parts.push_back(part)
            }
            Some(StreamPart::Failed(part, error)) => {
                parts.push_back(part);
                failure = Some(error);
            }
            None => {}
        }
        let arrivals = course.arrivals.clone();
        let ready = Box::new(move |time| arrivals.wait(time));
        self.machine.resume_with(Remainder::new(parts, failure, course.arrivals.clone()), ready);
        Continuation::Serial
    }
}

//! gawk's debugger over an observed run, and what every debugger is made of: [`places`] where a run
//! can stop, [`stepping`] to them, [`expression`]s and [`statements`] over the variables of a run that
//! stands still.
//!
//! A [`Session`] outlives the runs of its program, so breakpoints stay. It sees every statement
//! ([`Observer`]) and, where it stops, reads commands from a [`Console`] until one resumes the run.

mod command_table;
mod commands;
pub mod expression;
mod information;
mod option_command;
mod options;
pub mod places;
mod points;
mod setting;
mod show;
pub mod statements;
pub mod stepping;
mod stopping;

use std::cell::RefCell;
use std::collections::VecDeque;
use std::rc::Rc;
use std::sync::Arc;

use riverhawk_bytecode::Unit;
use riverhawk_syntax::ast::{FunctionId, Program};
use riverhawk_syntax::source::SourceMap;
use riverhawk_vm::visits::{AfterVisit, Observer, Scene};

use options::Options;
use places::{Places, VisitPlace};
use points::{Breakpoint, Displayed, Watched};
use stepping::Pace;

/// Where commands come from and answers go.
pub trait Console {
    /// The next command; none at the end.
    fn read(&mut self, prompt: &str) -> Option<String>;
    /// Shows text that ends with a newline.
    fn say(&mut self, text: &str);
    /// How many lines are remembered, and whether also for the next session.
    fn remember(&mut self, _lines: usize, _for_next: bool) {}
    /// Keeps commands with which the next session at a terminal begins, instead of those kept
    /// before.
    fn keep_options(&mut self, _commands: &str) {}
    /// Whether commands are typed: then an empty line repeats the last, and the end of input is no
    /// error.
    fn is_terminal(&self) -> bool {
        false
    }
}

enum Resume {
    Go,
    Return(riverhawk_value::Value),
    Restart,
    /// End.
    Quit,
}

/// A debugger that outlives the runs of its program.
pub struct Session {
    console: Box<dyn Console>,
    places: Places,
    breakpoints: Vec<Breakpoint>,
    watched: Vec<Watched>,
    displayed: Vec<Displayed>,
    /// Shared by breakpoints and watchpoints, as in gawk.
    last_number: usize,
    last_display: usize,
    unit: Arc<Unit>,
    mode: Pace,
    /// How many more stops are skipped.
    repeat: usize,
    here: Option<usize>,
    /// The selected frame.
    level: usize,
    phase: Option<&'static str>,
    /// The function of the last stop, and its depth.
    shown_in: Option<(Option<FunctionId>, usize)>,
    /// The file in which lines and functions are looked for.
    piece: usize,
    /// The first and last listed line.
    listed: (usize, usize),
    options: Options,
    last_command: String,
    pending: VecDeque<String>,
    restart: bool,
    has_run: bool,
    /// The reason of the stop is not shown.
    silent: bool,
    quit: bool,
    cut_off: bool,
    /// Output moves before the next statement.
    moves_output: bool,
}

struct Handle(Rc<RefCell<Session>>);

impl Observer for Handle {
    fn visit(&mut self, place: usize, scene: &mut Scene<'_>) -> AfterVisit {
        self.0.borrow_mut().visit(place, scene)
    }
}

impl Session {
    /// A session before its program runs.
    pub fn new(
        unit: &Arc<Unit>,
        program: &Program,
        sources: &SourceMap,
        console: Box<dyn Console>,
    ) -> Session {
        Session {
            console,
            places: Places::new(unit, program, sources),
            unit: unit.clone(),
            breakpoints: Vec::new(),
            watched: Vec::new(),
            displayed: Vec::new(),
            last_number: 0,
            last_display: 0,
            mode: Pace::Continue,
            repeat: 0,
            here: None,
            level: 0,
            phase: None,
            shown_in: None,
            piece: 0,
            listed: (0, 0),
            options: Options::default(),
            last_command: String::new(),
            pending: VecDeque::new(),
            restart: false,
            has_run: false,
            silent: false,
            quit: false,
            cut_off: false,
            moves_output: false,
        }
    }

    /// Reads commands until the program is to run; false at the end of the session.
    pub fn wait_for_run(&mut self) -> bool {
        self.here = None;
        self.phase = None;
        self.shown_in = None;
        self.mode = Pace::Continue;
        self.watched.iter_mut().for_each(|watched| watched.value = None);
        self.moves_output = self.options.output.is_some();
        if std::mem::take(&mut self.restart) {
            self.say("Restarting ...\nStarting program:\n");
            return true;
        }
        if self.quit {
            return false;
        }
        !matches!(self.prompt(None), Resume::Quit)
    }

    /// The session as an observer of one run.
    pub fn observer(session: &Rc<RefCell<Session>>) -> Box<dyn Observer> {
        Box::new(Handle(session.clone()))
    }

    /// Whether the commands ended before the session.
    pub fn is_cut_off(&self) -> bool {
        self.cut_off
    }

    /// A run has ended: its errors, drawn, and its exit status.
    pub fn ended(&mut self, errors: &[String], status: u8) {
        self.here = None;
        self.level = 0;
        if self.restart || self.quit {
            return;
        }
        for error in errors {
            self.say(error);
        }
        let how = if errors.is_empty() { "normally" } else { "abnormally" };
        self.say(&format!("Program exited {how} with exit value: {status}\n"));
    }

    fn say(&mut self, text: &str) {
        self.console.say(text);
    }

    fn next_number(&mut self) -> usize {
        self.last_number += 1;
        self.last_number
    }

    fn visit(&mut self, at: usize, scene: &mut Scene<'_>) -> AfterVisit {
        let Some(place) = self.places.get(at).filter(|place| place.stops) else {
            return AfterVisit::On;
        };
        let place = place.clone();
        if std::mem::take(&mut self.moves_output)
            && let Err(message) = scene.print_to(self.options.output_file())
        {
            self.say(&format!("error: {message}\n"));
        }
        if self.options.trace && !place.is_return {
            let text = format!("{}:{}: {}\n", place.file, place.line, self.places.line(&place));
            self.say(&text);
        }
        let mut reasons = self.changed(scene);
        let at_breakpoint = self.hit(at, scene, &mut reasons);
        if reasons.is_empty()
            && !at_breakpoint
            && !self.mode.arrives(&self.places, self.here, at, scene.depth())
        {
            return AfterVisit::On;
        }
        if reasons.is_empty() && !at_breakpoint && self.repeat > 0 {
            self.repeat -= 1;
            self.here = Some(at);
            if let Pace::Next(depth) = &mut self.mode {
                *depth = scene.depth();
            }
            return AfterVisit::On;
        }
        if let Pace::Finish(most) = self.mode
            && place.is_return
            && scene.depth() < most
            && let Some(value) = scene.returned(at)
        {
            reasons.push(format!("Returned value = {}\n", scene.describe(&value)));
        }
        scene.flush();
        self.here = Some(at);
        self.level = 0;
        self.repeat = 0;
        if !std::mem::take(&mut self.silent) {
            let rule = scene.call(scene.depth()).and_then(|span| self.places.phase_of(span));
            if let Some(phase) = place.phase.or(rule).filter(|phase| self.phase != Some(phase)) {
                self.phase = Some(phase);
                self.say(&format!("Stopping in {phase} ...\n"));
            }
            self.announce(&place, reasons, scene);
        }
        match self.prompt(Some(scene)) {
            Resume::Go => AfterVisit::On,
            Resume::Return(value) => {
                self.mode = Pace::Return(scene.depth());
                AfterVisit::Return(value)
            }
            Resume::Restart => {
                self.restart = true;
                AfterVisit::End
            }
            Resume::Quit => {
                self.quit = true;
                AfterVisit::End
            }
        }
    }

    fn announce(&mut self, place: &VisitPlace, reasons: Vec<String>, scene: &mut Scene<'_>) {
        let function = scene.function(0);
        let frame = (function, scene.depth());
        let elsewhere = self.shown_in.replace(frame).is_some_and(|before| before != frame);
        let mut text: String = reasons.concat();
        if elsewhere
            || !reasons.is_empty()
            || matches!(self.mode, Pace::Finish(_) | Pace::Return(_))
        {
            text += &format!("{} at `{}':{}\n", self.frame_name(function), place.file, place.line);
        }
        text += &self.places.numbered(place);
        self.centre_on(place);
        self.say(&text);
        self.show_displays(scene);
    }

    /// Lists around this place next.
    fn centre_on(&mut self, place: &VisitPlace) {
        self.piece = place.piece;
        let from = place.line.saturating_sub(self.options.list_size / 2).max(1);
        self.listed = (from, from - 1);
    }

    fn frame_name(&self, function: Option<FunctionId>) -> String {
        match function {
            None => "main()".to_owned(),
            Some(function) => self.places.signature(function),
        }
    }
}

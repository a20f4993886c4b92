//! `print` and `printf`, to the standard output or, by name, to files and commands. If the output
//! is a table, `print` writes a row.

pub(crate) mod arguments;

use crate::current::CurrentRecord;
use crate::globals::Globals;
use crate::outside::Outside;
use crate::workspace::Workspace;
use arguments::{Arguments, format_rules};

use crate::memory;
use crate::runtime::Runtime;
use crate::specials::Specials;
use riverhawk_awkio::fault::{Fallible, Fault, FaultKind};
use riverhawk_awkio::sandbox::Act;
use riverhawk_awkio::{Connection, Io, OutputKind, Sink, is_inet};
use riverhawk_bytecode::{Joints, PrintTarget, Srcs, Unit as Program};
use riverhawk_precise::Number;
use riverhawk_text::Unit;
use riverhawk_value::format::{Format, FormatError};
use riverhawk_value::{Value, number};

/// Joined parts have nothing between them, and their numbers are formatted as in a concatenation.
/// Inlining it saves a tenth of `print $1, $2`.
#[inline(always)]
fn print_to<'v>(
    sink: &mut Sink,
    joints: Joints,
    parts: impl Iterator<Item = &'v Value>,
    record: &[u8],
    specials: &Specials,
) -> Fallible<()> {
    for (at, part) in parts.enumerate() {
        if at > 0 && !joints.is_joined(at) {
            sink.write(&specials.ofs)?;
        }
        match part {
            Value::Num(number) => {
                sink.write_number(
                    *number,
                    if joints.is_part(at) { &specials.convfmt } else { &specials.ofmt },
                )?;
                memory::check()?;
            }
            Value::View(view) => sink.write_part(record, view.range())?,
            Value::Precise(number) => print_integer(sink, number, specials)?,
            text => sink.write(text.bytes_if_text(record))?,
        }
    }
    sink.write(&specials.ors)?;
    Ok(sink.end_print()?)
}

#[cold]
#[inline(never)]
fn print_integer(sink: &mut Sink, number: &Number, specials: &Specials) -> Fallible<()> {
    let mut text = Vec::new();
    number::precise_to_text(number, &specials.ofmt, &mut text);
    Ok(sink.write(&text)?)
}

impl Runtime {
    #[inline(always)]
    pub fn print<'v>(&mut self, parts: impl Iterator<Item = &'v Value>) -> Fallible<()> {
        if self.current.tables.output.is_some() {
            return self.print_row(None, parts);
        }
        print_to(
            self.outside.io.outputs.stdout(),
            Joints::NONE,
            parts,
            self.current.record.text_and_behind(),
            &self.current.specials,
        )
    }

    #[inline]
    pub fn print_joined<'v>(
        &mut self,
        joints: Joints,
        parts: impl Iterator<Item = &'v Value>,
    ) -> Fallible<()> {
        if self.current.tables.output.is_some() {
            let whole = self.workspace.made(&self.current, joints, parts);
            memory::check()?;
            return self.print(whole.iter());
        }
        print_to(
            self.outside.io.outputs.stdout(),
            joints,
            parts,
            self.current.record.text_and_behind(),
            &self.current.specials,
        )
    }

    pub fn print_joined_elsewhere<'v>(
        &mut self,
        how: PrintTarget,
        to: &Value,
        joints: Joints,
        list: Srcs,
        parts: impl Iterator<Item = &'v Value>,
    ) -> Fallible<()> {
        if self.current.tables.output.is_some()
            || self.current.tables.keep_header
            || self.outside.backwards.is_some()
        {
            let whole = self.workspace.made(&self.current, joints, parts);
            memory::check()?;
            return self.print_elsewhere(how, to, list, whole.iter());
        }
        let name = self.outside.target_name(&self.current, &self.globals, how, to)?;
        let connection = self.globals.connection_for(&self.current, how, &name);
        let printed = sink(&mut self.outside.io, how, &name, connection).and_then(|sink| {
            print_to(
                sink,
                joints,
                parts,
                self.current.record.text_and_behind(),
                &self.current.specials,
            )
        });
        self.globals.forgive(&mut self.current, &name, printed)
    }

    #[inline(always)]
    pub fn print_record(&mut self) -> Fallible<()> {
        if self.current.writes_rows() {
            return self.print_record_row(None);
        }
        self.current.settle_record();
        memory::check()?;
        let sink = self.outside.io.outputs.stdout();
        sink.write_pair(self.current.record.text(), &self.current.specials.ors)?;
        Ok(sink.end_print()?)
    }

    /// Prints the record if there are no parts. `list` is where the program has the parts.
    pub fn print_elsewhere<'v>(
        &mut self,
        how: PrintTarget,
        to: &Value,
        list: Srcs,
        parts: impl Iterator<Item = &'v Value>,
    ) -> Fallible<()> {
        let name = self.outside.target_name(&self.current, &self.globals, how, to)?;
        let headed = if self.current.tables.keep_header {
            self.outside.head_file(&self.program, &mut self.current, &self.main, how, &name, list)
        } else {
            Ok(())
        };
        let printed = headed.and_then(|()| self.print_to_name(how, &name, parts));
        self.globals.forgive(&mut self.current, &name, printed)
    }

    fn print_to_name<'v>(
        &mut self,
        how: PrintTarget,
        name: &[u8],
        parts: impl Iterator<Item = &'v Value>,
    ) -> Fallible<()> {
        let connection = self.globals.connection_for(&self.current, how, name);
        if self.outside.backwards.is_some()
            && self.current.tables.output.is_none()
            && self.outside.goes_backwards(&self.current, &self.globals, how, name)
        {
            self.current.settle_record();
            let text = self.current.printed_backwards(parts);
            return self.outside.write_backwards(how, name, connection, &text);
        }
        let mut parts = parts.peekable();
        if parts.peek().is_none() {
            if self.current.writes_rows() {
                return self.print_record_row(Some((how, name, connection)));
            }
            self.current.settle_record();
            memory::check()?;
            let sink = sink(&mut self.outside.io, how, name, connection)?;
            sink.write_pair(self.current.record.text(), &self.current.specials.ors)?;
            return Ok(sink.end_print()?);
        }
        if self.current.tables.output.is_some() {
            return self.print_row(Some((how, name, connection)), parts);
        }
        let sink = sink(&mut self.outside.io, how, name, connection)?;
        print_to(sink, Joints::NONE, parts, self.current.record.text(), &self.current.specials)
    }

    pub fn print_formatted_elsewhere(&mut self, how: PrintTarget, to: &Value) -> Fallible<()> {
        let name = self.outside.target_name(&self.current, &self.globals, how, to)?;
        let connection = self.globals.connection_for(&self.current, how, &name);
        if self.outside.backwards.is_some()
            && self.outside.goes_backwards(&self.current, &self.globals, how, &name)
        {
            let text: Vec<u8> = self.workspace.formatted.iter().rev().copied().collect();
            let printed = self.outside.write_backwards(how, &name, connection, &text);
            return self.globals.forgive(&mut self.current, &name, printed);
        }
        let printed = sink(&mut self.outside.io, how, &name, connection).and_then(|sink| {
            sink.end_table()?;
            sink.write(&self.workspace.formatted)?;
            Ok(sink.end_print()?)
        });
        self.globals.forgive(&mut self.current, &name, printed)
    }
}

impl Workspace {
    pub fn format_constant<'v>(
        &mut self,
        program: &Program,
        current: &CurrentRecord,
        unit: Unit,
        format: usize,
        values: impl Iterator<Item = &'v Value>,
    ) -> Fallible<()> {
        let result = self.format_values(program, current, values, |formats, arguments, out| {
            formats[format].write(arguments, unit, out)
        });
        result.map_err(|error| Fault::new(error.explain(&program.formats[format])))
    }

    pub fn format_by_first<'v, const PRECISE: bool>(
        &mut self,
        program: &Program,
        current: &CurrentRecord,
        unit: Unit,
        mut values: impl Iterator<Item = &'v Value>,
    ) -> Fallible<()> {
        let Some(format) = values.next() else {
            self.formatted.clear();
            return match program.dialect.has_extensions() {
                true => Err(Fault::new("printf: no arguments")),
                false => Ok(()),
            };
        };
        let text = current.text_of(format);
        let format = match self.recent_format.take() {
            Some((known, format)) if known == text => format,
            _ => Format::parse_by(format_rules(program.dialect), &text),
        };
        let result =
            self.format_values(program, current, values, |_, arguments, out| match PRECISE {
                true => format.write_precise(arguments, unit, out),
                false => format.write(arguments, unit, out),
            });
        let result = result.map_err(|error| Fault::new(error.explain(&text)));
        self.recent_format = Some((text, format));
        result
    }

    #[inline]
    fn format_values<'v>(
        &mut self,
        program: &Program,
        current: &CurrentRecord,
        values: impl Iterator<Item = &'v Value>,
        write: impl FnOnce(&[Format], &mut Arguments<'_>, &mut Vec<u8>) -> Result<(), FormatError>,
    ) -> Result<(), FormatError> {
        let mut held = std::mem::take(&mut self.arguments);
        let mut formatted = std::mem::take(&mut self.formatted);
        formatted.clear();
        let values = held.hold(values);
        let (convfmt, exact) = (&current.specials.convfmt, program.exact);
        let mut arguments = Arguments { values, record: current.record.text(), convfmt, exact };
        let result = write(&self.formats, &mut arguments, &mut formatted);
        self.formatted = formatted;
        self.arguments = held;
        result
    }

    #[cold]
    fn made<'v>(
        &mut self,
        current: &CurrentRecord,
        joints: Joints,
        parts: impl Iterator<Item = &'v Value>,
    ) -> Vec<Value> {
        let parts: Vec<&Value> = parts.collect();
        let mut whole = Vec::new();
        let mut at = 0;
        while at < parts.len() {
            let end =
                (at + 1..parts.len()).find(|&end| !joints.is_joined(end)).unwrap_or(parts.len());
            whole.push(match end - at {
                1 => parts[at].clone(),
                _ => self.join_to_value(current, None, parts[at..end].iter().copied(), b""),
            });
            at = end;
        }
        whole
    }
}

impl Globals {
    fn connection_for(&self, current: &CurrentRecord, how: PrintTarget, name: &[u8]) -> Connection {
        if how == PrintTarget::Coprocess {
            self.connection_of(current, name)
        } else {
            Connection::Pipes
        }
    }

    /// With `PROCINFO[name, "NONFATAL"]` a failure only sets ERRNO.
    #[inline]
    pub(crate) fn forgive(
        &mut self,
        current: &mut CurrentRecord,
        name: &[u8],
        done: Fallible<()>,
    ) -> Fallible<()> {
        match done {
            Ok(()) => Ok(()),
            Err(fault) => self.forgive_fault(current, name, fault),
        }
    }

    #[cold]
    fn forgive_fault(
        &mut self,
        current: &mut CurrentRecord,
        name: &[u8],
        fault: Fault,
    ) -> Fallible<()> {
        match fault.kind() {
            FaultKind::Output(error) if self.may_fail(current, name) => {
                self.set_errno_of(current, &error.source);
                Ok(())
            }
            _ => Err(fault),
        }
    }
}

impl Outside {
    #[cold]
    fn write_backwards(
        &mut self,
        how: PrintTarget,
        name: &[u8],
        connection: Connection,
        text: &[u8],
    ) -> Fallible<()> {
        if self.printed_to_mirror(how, name, text)? {
            return Ok(());
        }
        let sink = sink(&mut self.io, how, name, connection)?;
        sink.write(text)?;
        Ok(sink.end_print()?)
    }

    fn target_name(
        &mut self,
        current: &CurrentRecord,
        globals: &Globals,
        how: PrintTarget,
        to: &Value,
    ) -> Fallible<Vec<u8>> {
        self.allow_any_redirection()?;
        let name = current.text_of(to);
        memory::check()?;
        if name.is_empty() {
            return Err(Fault::new("the name that output is redirected to is empty"));
        }
        self.allow_redirection(match how {
            PrintTarget::Pipe => Act::Command,
            PrintTarget::Coprocess if is_inet(&name) => Act::Connection,
            PrintTarget::Coprocess => Act::Command,
            _ => Act::Write(&name),
        })?;
        let starts = match how {
            PrintTarget::Pipe => !self.io.outputs.is_open(OutputKind::Pipe, &name),
            PrintTarget::Coprocess => !self.io.is_open_coprocess(&name),
            PrintTarget::Truncate | PrintTarget::Append => false,
        };
        if starts && globals.environ.is_some() {
            self.share_environment(current, globals);
        }
        Ok(name)
    }

    #[inline]
    pub fn print_formatted(&mut self, workspace: &Workspace) -> Fallible<()> {
        let sink = self.io.outputs.stdout();
        sink.end_table()?;
        sink.write(&workspace.formatted)?;
        Ok(sink.end_print()?)
    }
}

impl CurrentRecord {
    #[inline]
    fn writes_rows(&self) -> bool {
        self.tables.output.is_some() || self.columns.layout().is_some()
    }
}

pub(crate) type Redirected<'a> = (PrintTarget, &'a [u8], Connection);

pub(crate) fn redirected<'io>(
    io: &'io mut Io,
    (how, name, connection): Redirected<'_>,
) -> Fallible<&'io mut Sink> {
    sink(io, how, name, connection)
}

fn sink<'io>(
    io: &'io mut Io,
    how: PrintTarget,
    name: &[u8],
    connection: Connection,
) -> Fallible<&'io mut Sink> {
    let kind = match how {
        PrintTarget::Truncate => OutputKind::File,
        PrintTarget::Append => OutputKind::Append,
        PrintTarget::Pipe => OutputKind::Pipe,
        PrintTarget::Coprocess => return Ok(io.coprocess_sink(name, connection)?),
    };
    Ok(io.output(kind, name)?)
}

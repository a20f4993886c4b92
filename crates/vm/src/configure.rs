//! Applies a configuration to a run, group by group.

use crate::config::{
    Assignment, CommandLine, Environment, LocaleConfig, MachineConfig, OutputConfig,
};
use crate::error::RuntimeError;
use crate::following::Following;
use crate::globals::Globals;
use crate::library::Kept;
use crate::library::{Clock, KnownEncodings, Surroundings};
use crate::outside::Outside;
use crate::runtime::Runtime;
use riverhawk_awkio::fault::Fault;
use riverhawk_awkio::in_place::InPlace;
use riverhawk_awkio::sandbox::Sandbox;
use riverhawk_awkio::{Directories, Reading};
use riverhawk_builtins::collation::Collation;
use riverhawk_builtins::time::zone::ZoneFiles;
use riverhawk_bytecode::Unit as Program;
use riverhawk_syntax::ast::{Extension, GlobalId};
use riverhawk_value::number::DecimalPoint;
use riverhawk_value::{Probe, Value, new_array};

impl Runtime {
    /// Assignments come last, since they depend on the other groups.
    pub(crate) fn configure(&mut self, config: MachineConfig) -> Result<(), Box<RuntimeError>> {
        let failed = |fault: Fault| Box::new(RuntimeError::new(fault.message()));
        let (declared, given) = (self.program.host_functions.len(), config.host_functions.len());
        if declared != given {
            return Err(Box::new(RuntimeError::new(format!(
                "the program was compiled with {declared} host functions; this run has {given}"
            ))));
        }
        let decimal_point = config.decimal_point();
        let reading = config.reading(self.outside.io.inputs.reading());
        self.main.note_file_rules(&self.program);
        self.main.meter.set_callback(config.reports.progress);
        self.main.only_files = config.command_line.only_files;
        self.outside.sandbox = config.permissions.sandbox.then(|| Sandbox {
            operands: config.command_line.operands.clone(),
            allowed: config.permissions.allowed,
            plain_names: !self.program.dialect.has_extensions(),
        });
        self.main.following = config.input.follow.then(|| Box::new(Following::new()));
        self.outside.lint.level = config.reports.lint;
        self.outside.warnings.drawing = config.reports.drawing;
        self.current.specials.exact_integers = self.program.exact;
        self.take_locale(config.locale, decimal_point);
        self.outside.io.outputs.plain_names = !self.program.dialect.has_extensions();
        self.outside.set_backwards(&self.program);
        self.outside.take_command_line(&mut self.globals, &config.command_line);
        let reads_any =
            !config.permissions.sandbox && self.outside.io.outputs.file_system().is_none();
        self.library.clock = Clock::new(
            Surroundings::of(&config.environment.variables, self.locale.unit),
            config.clock,
            if reads_any { ZoneFiles::Any } else { ZoneFiles::System },
        );
        if let Some(seed) = config.seed {
            self.arithmetic.seed(seed);
        }
        self.library
            .take_output_encoding(&mut self.outside, config.output.output_encoding.as_deref())
            .map_err(failed)?;
        if config.reports.dump_variables || uses_environment(&self.program) {
            self.globals.take_environment(&config.environment);
        }
        if !config.owns_process {
            // The process's environment is not the program's.
            self.outside.io.environment.replace(config.environment.variables.iter().cloned());
        }
        self.host_functions = config.host_functions;
        self.set_tables(config.tables).map_err(failed)?;
        self.outside.fill_process_info(
            &self.program,
            &self.current,
            &mut self.globals,
            &config.environment.variables,
            &config.command_line.words,
        );
        self.outside.take_reading(&self.program, reading);
        self.outside.take_output(config.output);
        if let Some(bytes) = config.limits.max_output {
            self.outside.io.outputs.set_quota(bytes as u64);
        }
        self.globals.fill_named(&self.program);
        self.globals.fill_variables_of_extensions(&self.program);
        self.assign_all(&config.command_line.assignments)?;
        for (name, data) in &config.variables {
            self.set_data(name, data).map_err(|fault| {
                Box::new(RuntimeError::new(format!("cannot set {name}: {}", fault.message())))
            })?;
        }
        self.globals.read_numerals(&self.program);
        Ok(())
    }

    fn take_locale(&mut self, locale: LocaleConfig, decimal_point: DecimalPoint) {
        self.locale.collation = locale.collation.as_deref().and_then(Collation::new);
        self.locale.update_comparison(&self.program, &mut self.current);
        self.arithmetic.numbers = locale.numbers;
        self.arithmetic.decimal_point = decimal_point;
        self.arithmetic.set_number_forms();
        if let Some(encodings) = locale.encodings {
            self.library.encodings = KnownEncodings::of(encodings);
        }
    }

    fn assign_all(&mut self, assignments: &[Assignment]) -> Result<(), Box<RuntimeError>> {
        for assignment in assignments {
            let name = assignment.name();
            let refused = |fault: Fault| {
                let reason = fault.message();
                let reason = reason.strip_prefix(&format!("{name}: ")).unwrap_or(&reason);
                RuntimeError::new(format!("cannot set {name} from the command line: {reason}"))
            };
            self.assign_variable(name, assignment.value())
                .map_err(|fault| Box::new(refused(fault)))?;
            self.globals.identify_assigned(name);
        }
        Ok(())
    }
}

impl Outside {
    fn take_command_line(&mut self, globals: &mut Globals, command_line: &CommandLine) {
        let argv = new_array();
        {
            let mut elements = argv.borrow_mut();
            elements.set(Probe::Int(0), Value::from_input(&command_line.program_name));
            for (at, operand) in (1..).zip(&command_line.operands) {
                elements.set(Probe::Int(at), Value::from_input(operand));
            }
        }
        globals.statics[GlobalId::ARGV.index()] = Value::Array(argv);
        globals.statics[GlobalId::ARGC.index()] =
            Value::Num(command_line.operands.len() as f64 + 1.0);
        self.warnings.program_name =
            String::from_utf8_lossy(&command_line.program_name).into_owned();
    }

    fn take_reading(&mut self, program: &Program, reading: Reading) {
        let directories = match program.extensions.contains(&Extension::Readdir) {
            true => Directories::Records,
            false => Directories::Refused,
        };
        self.io.inputs.set_reading(Reading { directories, ..reading });
    }

    fn take_output(&mut self, output: OutputConfig) {
        self.io.outputs.set_compressing(output.compress_output);
        self.in_place = output.in_place.map(|suffix| InPlace::new(suffix, output.edits));
    }
}

impl Globals {
    fn take_environment(&mut self, Environment { variables, assumed }: &Environment) {
        let environ = new_array();
        for (name, value) in variables.iter().chain(assumed) {
            environ.borrow_mut().set(Probe::from_text(name), Value::from_input(value));
        }
        self.statics[GlobalId::ENVIRON.index()] = Value::Array(environ.clone());
        self.environ = Some(environ);
        self.assumed.clone_from(assumed);
    }
}

impl Kept {
    fn take_output_encoding(
        &mut self,
        outside: &mut Outside,
        name: Option<&[u8]>,
    ) -> Result<(), Fault> {
        let Some(name) = name else { return Ok(()) };
        if let Some(coding) = self.coding("the output's encoding", name)? {
            outside.io.outputs.set_coding(coding);
        }
        Ok(())
    }
}

fn uses_environment(program: &Program) -> bool {
    program.globals[GlobalId::ENVIRON.index()].usage.array
}

//! Host functions: what a program sees of them, in every tier.

use riverhawk_engine::{
    Assignment, CommandLine, CompileOptions, Compiled, Config, HostCall, HostDeclaration,
    HostError, HostFunction, HostValue, MachineConfig, NumberSyntax, Optimiser, Outcome, Parallel,
    Renderer, Source, compile,
};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

type Result = std::result::Result<HostValue, HostError>;

struct Host {
    declarations: Vec<HostDeclaration>,
    functions: Vec<Arc<dyn HostFunction>>,
    told: Arc<Mutex<Vec<String>>>,
}

impl Host {
    fn new() -> Host {
        let told = Arc::new(Mutex::new(Vec::new()));
        let host = Host { declarations: Vec::new(), functions: Vec::new(), told: told.clone() };
        host.with(HostDeclaration::new("tell", 1..=1), move |call: &mut HostCall<'_>| {
            let text = String::from_utf8_lossy(&call.text(0)).into_owned();
            told.lock().expect("no panic").push(text);
            Ok(().into())
        })
    }

    fn with(mut self, declaration: HostDeclaration, function: impl HostFunction + 'static) -> Host {
        self.declarations.push(declaration);
        self.functions.push(Arc::new(function));
        self
    }

    fn compile(&self, program: &str) -> Compiled {
        let options = CompileOptions {
            host_functions: self.declarations.clone(),
            ..CompileOptions::default()
        };
        let program = compile(vec![Source::new("test", program)], &options);
        program.unwrap_or_else(|failure| panic!("{}", Renderer::plain("test").failure(&failure)))
    }

    fn machine(&self) -> MachineConfig {
        MachineConfig { host_functions: self.functions.clone().into(), ..MachineConfig::default() }
    }

    fn told(&self) -> Vec<String> {
        std::mem::take(&mut self.told.lock().expect("no panic"))
    }

    #[track_caller]
    fn tells(&self, program: &str, operands: &[&[u8]], expected: &[&str]) {
        for (tier, optimiser) in tiers() {
            let mut machine = self.machine();
            machine.command_line = CommandLine {
                operands: operands.iter().map(|operand| operand.to_vec()).collect(),
                ..CommandLine::default()
            };
            let config = Config { machine, optimiser, ..Config::default() };
            let outcome = self.compile(program).run(config);
            assert_eq!(outcome.errors, [], "{tier}: {program}");
            assert_eq!(self.told(), expected, "{tier}: {program}");
        }
    }

    fn run(&self, program: &str, optimiser: Optimiser) -> Outcome {
        let config = Config { machine: self.machine(), optimiser, ..Config::default() };
        self.compile(program).run(config)
    }

    #[track_caller]
    fn fails(&self, program: &str, message: &str, place: &str) {
        for (tier, optimiser) in tiers() {
            let outcome = self.run(program, optimiser);
            let error = outcome.errors.first().unwrap_or_else(|| panic!("{tier}: no error"));
            assert_eq!((error.message.as_str(), outcome.status), (message, 2), "{tier}");
            let span = error.span.expect("a place");
            assert_eq!(&program[span.start as usize..span.end as usize], place, "{tier}");
        }
    }
}

fn tiers() -> [(&'static str, Optimiser); 2] {
    let eager = Optimiser { spesh_blocking: true, spesh_nodelay: true, ..Optimiser::default() };
    [("interpreter", Optimiser { no_jit: true, ..Optimiser::default() }), ("machine code", eager)]
}

fn add(call: &mut HostCall<'_>) -> Result {
    Ok((call.number(0) + call.number(1)).into())
}

struct Input(std::path::PathBuf);

impl Input {
    fn new(name: &str, text: &str) -> Input {
        let path = std::env::temp_dir().join(format!("hosts-{}-{name}", std::process::id()));
        std::fs::write(&path, text).expect("the folder for temporary files can be written");
        Input(path)
    }

    fn name(&self) -> &[u8] {
        self.0.as_os_str().as_encoded_bytes()
    }
}

impl Drop for Input {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
    }
}

#[test]
fn numbers_and_texts_go_in_and_out() {
    let host = Host::new()
        .with(HostDeclaration::new("geo::add", 1..=2), add)
        .with(HostDeclaration::new("join", 0..=usize::MAX), |call: &mut HostCall<'_>| {
            let texts: Vec<_> = (0..call.len()).map(|at| call.text(at)).collect();
            Ok(texts.join(&b"-"[..]).into())
        })
        .with(HostDeclaration::new("as_input", 1..=1), |call: &mut HostCall<'_>| {
            Ok(HostValue::input(&call.text(0)))
        });
    host.tells("BEGIN { tell(geo::add(1, 2.5)); tell(geo::add(\"3x\")) }", &[], &["3.5", "3"]);
    host.tells("BEGIN { tell(join()); tell(join(1, \"b\", 0.1, x)) }", &[], &["", "1-b-0.1-"]);
    let ten = "BEGIN { tell(join(1, 2, 3, 4, 5, 6, 7, 8, 9, 10)) }";
    host.tells(ten, &[], &["1-2-3-4-5-6-7-8-9-10"]);
    // Texts compare as texts, input that looks like a number as a number.
    host.tells(
        "BEGIN { tell((join(10) < 9) (as_input(\"10\") < 9) (as_input(\"x\") < 9)) }",
        &[],
        &["100"],
    );
    host.tells(
        "BEGIN { CONVFMT = \"%.2g\"; tell(3.14159); tell(tell(1) == 0) }",
        &[],
        &["3.1", "1", "1"],
    );
    host.tells("BEGIN { f = \"geo::add\"; tell(@f(1, 2)) }", &[], &["3"]);
}

#[test]
fn fields_are_borrowed_from_the_record() {
    let host = Host::new()
        .with(HostDeclaration::new("kind", 1..=1), |call: &mut HostCall<'_>| {
            let borrowed = matches!(call.text(0), std::borrow::Cow::Borrowed(_));
            Ok(format!("{borrowed} {}", call.is_number(0)).into())
        })
        .with(HostDeclaration::new("add", 2..=2), add);
    let input = Input::new("fields", "10 a\n20 b\n");
    let program = "{ tell(kind($1)); tell(kind($2)); tell(add($1, $1 = 5)); tell($0) }";
    host.tells(
        program,
        &[input.name()],
        &["true true", "true false", "15", "5 a", "true true", "true false", "25", "5 b"],
    );
}

#[test]
fn arrays_are_read_and_changed() {
    let host = Host::new()
        .with(HostDeclaration::new("fill", 2..=2).with_array(0), |call: &mut HostCall<'_>| {
            let array = call.array(0).ok_or("no array")?;
            for at in 1..=call.number(1) as i64 {
                array.set(at, (at * at) as f64);
            }
            array.set("name", "text");
            array.set(i64::MAX, 1);
            array.remove(2);
            Ok((array.len() as f64).into())
        })
        .with(HostDeclaration::new("sum", 1..=1).with_array(0), |call: &mut HostCall<'_>| {
            let array = call.array(0).ok_or("no array")?;
            let elements = array.elements();
            Ok(elements.map(|(key, element)| key.number() * element.number()).sum::<f64>().into())
        })
        .with(HostDeclaration::new("inner", 1..=1).with_array(0), |call: &mut HostCall<'_>| {
            let inner = call.array(0).and_then(|array| array.get("b")?.array());
            Ok(inner.and_then(|inner| inner.get(1)).map(|element| element.number()).into())
        });
    host.tells(
        "BEGIN { tell(fill(a, 4)); tell(a[1] a[3] a[4] a[\"name\"] (2 in a) (\"9223372036854775807\" in a)) }",
        &[],
        &["5", "1916text01"],
    );
    host.tells("BEGIN { fill(a, 3); delete a[\"name\"]; tell(a[1] + a[3]) }", &[], &["10"]);
    host.tells("function f(p) { fill(p, 2) } BEGIN { f(a[1]); tell(a[1][1]) }", &[], &["1"]);
    host.tells(
        "BEGIN { tell(sum(a)); for (i = 0; i < 5; i++) a[i] = i; tell(sum(a)) }",
        &[],
        &["0", "30"],
    );
    host.tells("BEGIN { a[\"b\"][1] = 7; tell(inner(a)) }", &[], &["7"]);
    host.fails(
        "function f(p) { return fill(p, 1) }\nBEGIN { x = 1; f(x + 0) }",
        "attempt to use the scalar parameter `p' as an array",
        "fill(p, 1)",
    );
    host.fails(
        "function f(p) { return sum(a) tell(p) }\nBEGIN { a[1]; f(a) }",
        "attempt to use the array parameter `p' as a scalar",
        "p",
    );
}

#[test]
fn a_failure_and_a_panic_end_the_run_at_the_call() {
    let host = Host::new()
        .with(HostDeclaration::new("check", 1..=1), |call: &mut HostCall<'_>| {
            match call.number(0) < 1000.0 {
                true => Ok(1.0.into()),
                false => Err("too large".into()),
            }
        })
        .with(HostDeclaration::new("burst", 1..=1), |call: &mut HostCall<'_>| -> Result {
            assert!(call.number(0) < 1000.0, "{} is too large", call.number(0));
            Ok(1.0.into())
        });
    host.fails(
        "BEGIN { for (i = 0; i < 2000; i++)\n n += check(i) }",
        "check: too large",
        "check(i)",
    );
    let before = std::panic::take_hook();
    std::panic::set_hook(Box::new(|_| ()));
    host.fails(
        "BEGIN { for (i = 0; i < 2000; i++)\n n += burst(i) }",
        "host function `burst' panicked: 1000 is too large",
        "burst(i)",
    );
    std::panic::set_hook(before);
}

#[test]
fn a_run_needs_the_functions_that_were_declared() {
    let program = Host::new().compile("BEGIN { tell(1) }");
    let outcome = program.run(Config::default());
    assert_eq!(
        outcome.errors[0].message,
        "the program was compiled with 1 host functions; this run has 0"
    );
}

#[test]
fn a_wrong_declaration_does_not_compile() {
    let options = CompileOptions {
        host_functions: vec![HostDeclaration::new("length", 1..=1)],
        ..CompileOptions::default()
    };
    let failure = compile(vec![Source::new("test", "BEGIN { }")], &options).expect_err("refused");
    let drawn = Renderer::plain("test").failure(&failure);
    assert!(drawn.contains("host function `length': the name is taken"), "{drawn}");
}

/// The outer program reads hexadecimal numbers, the inner one does not.
#[test]
fn a_function_may_run_another_program_on_the_same_thread() {
    let inner = Arc::new(Host::new());
    let nested = inner.clone();
    let host =
        Host::new().with(HostDeclaration::new("nested", 1..=1), move |call: &mut HostCall<'_>| {
            let mut machine = nested.machine();
            let text = String::from_utf8_lossy(&call.text(0)).into_owned();
            let assignment = Assignment::parse(format!("x={text}").as_bytes())?;
            machine.command_line.assignments = vec![assignment];
            let program = nested.compile("BEGIN { tell(x + 0) }");
            let outcome = program.run(Config { machine, ..Config::default() });
            match outcome.errors.into_iter().next() {
                Some(error) => Err(error.message.into()),
                None => Ok(HostValue::input(nested.told().concat().as_bytes())),
            }
        });
    let program = host.compile("BEGIN { tell(x + 0); tell(nested(x)); tell(x + 0) }");
    for (tier, optimiser) in tiers() {
        let mut machine = host.machine();
        machine.locale.numbers = NumberSyntax::NonDecimal;
        machine.command_line.assignments = vec![Assignment::parse(b"x=0x1f").expect("valid")];
        let outcome = program.run(Config { machine, optimiser, ..Config::default() });
        assert_eq!(outcome.errors, [], "{tier}");
        assert_eq!(host.told(), ["31", "0", "31"], "{tier}");
    }
}

#[test]
fn a_hot_loop_stays_in_machine_code() {
    let host = Host::new().with(HostDeclaration::new("add", 2..=2), add);
    let program = "BEGIN { for (i = 0; i < 100000; i++) { s += add(i, 1); if (length(i) == 7) break }; tell(s) }";
    host.tells(program, &[], &["5000050000"]);
    if cfg!(feature = "jit") {
        let optimiser = Optimiser { keep_ir: true, ..tiers()[1].1.clone() };
        let code = host.run(program, optimiser).machine_code;
        assert!(code.contains("by callhost"), "{code}");
    }
}

#[test]
fn only_pure_functions_are_called_in_pieces() {
    let lines: String = (0..200_000).map(|at| format!("{at}\n")).collect();
    let input = Input::new("pieces", &lines);
    for is_pure in [true, false] {
        let threads = Arc::new(Mutex::new(std::collections::HashSet::new()));
        let seen = threads.clone();
        let calls = Arc::new(AtomicUsize::new(0));
        let counted = calls.clone();
        let declaration = HostDeclaration::new("twice", 1..=1);
        let declaration = if is_pure { declaration.pure() } else { declaration };
        let host = Host::new().with(declaration, move |call: &mut HostCall<'_>| {
            seen.lock().expect("no panic").insert(std::thread::current().id());
            counted.fetch_add(1, Ordering::Relaxed);
            Ok((2.0 * call.number(0)).into())
        });
        let mut machine = host.machine();
        machine.command_line.operands = vec![input.name().to_vec()];
        let parallel = Parallel { jobs: 3, piece_size: 4096, ..Parallel::default() };
        let program = host.compile("{ s += twice($1) } END { tell(s) }");
        let explained = program.explain(&Renderer::plain("test"));
        let outcome = program.run(Config { machine, parallel, ..Config::default() });
        assert_eq!(outcome.errors, []);
        assert_eq!(host.told(), ["39999800000"]);
        assert!(calls.load(Ordering::Relaxed) >= 200_000);
        let message = "twice may have side effects: it is not declared pure";
        assert_eq!(explained.contains(message), !is_pure, "{explained}");
        assert_eq!(threads.lock().expect("no panic").len() > 1, is_pure);
    }
}

//! From a request to installed code.

use crate::candidate::{CallNote, Candidate};
use crate::links::Links;
use crate::listing::{LineTable, Listing, Symbol};
use crate::lower::{Names, lower, lower_entry};
use crate::machine;
use crate::memory::CodeMemory;
use crate::stubs::{self, RARE};
use cranelift_codegen::control::ControlPlane;
use cranelift_codegen::isa::{CallConv, OwnedTargetIsa};
use cranelift_codegen::settings::{self, Configurable};
use cranelift_codegen::{Context, FinalizedRelocTarget, ir as clif};
use cranelift_frontend::FunctionBuilderContext;
use riverhawk_bytecode::Op;
use riverhawk_spesh::ir::{
    self, Callee, CodeRequest, EntryPoint, Feedback, FrameName, InstClass, IrFunction, Refusal,
    ReturnForm, Seen, Signature, SlotResolver, Snapshot, passes,
};
use riverhawk_spesh::{CandidateCounters, Type};
use riverhawk_vm::native::MAX_PARAMETERS;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// Unique in the process.
static NEXT_CANDIDATE: AtomicU64 = AtomicU64::new(1);

/// How many levels of callees are compiled with their callers.
const MAX_LEVELS: usize = 6;

/// In bytes, of a function's start.
const ALIGNMENT: usize = 16;

/// Options of the compiler.
#[derive(Clone, Debug, Default)]
pub struct CompilerOptions {
    /// Keep the intermediate representation of each candidate as text, after each pass.
    pub keep_ir: bool,
    /// Keep the machine code of each candidate as text.
    pub keep_assembly: bool,
    /// Inline no function.
    pub no_inlining: bool,
    /// Where code is listed for profilers, with the lines of operations.
    pub listing: Option<(Arc<Listing>, Arc<LineTable>)>,
    /// Passes to skip.
    pub skipped_passes: Vec<passes::Pass>,
}

/// Compiles parts of one program, on any thread.
pub struct Compiler {
    snapshot: Arc<Snapshot>,
    links: Arc<Links>,
    isa: OwnedTargetIsa,
    options: CompilerOptions,
    context: Context,
    scratch: FunctionBuilderContext,
    /// Addresses, in memory that the links own.
    stubs: Vec<usize>,
    /// Functions being compiled, outermost first, and what each is tried as.
    under_way: Vec<(Signature, ReturnForm)>,
    /// Compiled because other code calls it.
    callees: Vec<Candidate>,
    /// From all requests, by operation.
    seen: BTreeMap<u32, Seen>,
    /// Calls in the current function that the interpreter has to make.
    unresolved: BTreeSet<CallNote>,
    /// By link: what can be inlined, or why not.
    bodies: BTreeMap<u32, Result<IrFunction, String>>,
}

impl Compiler {
    /// # Errors
    /// There is no code generator for this machine.
    pub fn new(snapshot: Arc<Snapshot>, options: CompilerOptions) -> Result<Compiler, Refusal> {
        let refused = |why: &dyn std::fmt::Display| Refusal::NoCode(why.to_string());
        let mut flags = settings::builder();
        for (name, value) in [
            ("opt_level", "speed"),
            ("enable_verifier", if cfg!(debug_assertions) { "true" } else { "false" }),
            ("enable_probestack", "false"),
            ("unwind_info", "false"),
        ] {
            flags.set(name, value).map_err(|error| refused(&error))?;
        }
        let isa = cranelift_native::builder().map_err(|error| refused(&error))?;
        let isa = isa.finish(settings::Flags::new(flags)).map_err(|error| refused(&error))?;
        if let Some(missing) = machine::feature_missing(&*isa) {
            return Err(Refusal::NoCode(missing.into()));
        }
        let mut compiler = Compiler {
            snapshot,
            links: Arc::new(Links::new()),
            isa,
            options,
            context: Context::new(),
            scratch: FunctionBuilderContext::new(),
            stubs: Vec::new(),
            under_way: Vec::new(),
            callees: Vec::new(),
            seen: BTreeMap::new(),
            unresolved: BTreeSet::new(),
            bodies: BTreeMap::new(),
        };
        compiler.make_stubs()?;
        Ok(compiler)
    }

    fn make_stubs(&mut self) -> Result<(), Refusal> {
        let mut code = Assembled::default();
        let mut starts = Vec::new();
        for helper in RARE {
            let start = code.bytes.len().next_multiple_of(ALIGNMENT);
            code.bytes.resize(start, 0x90);
            code.bytes.extend(stubs::code(helper));
            code.functions.push(Assembly { range: start..code.bytes.len(), lines: Vec::new() });
            starts.push(start);
        }
        let memory = code.install()?;
        self.list(&code, &memory, |number| format!("awk helper {}", RARE[number].name()));
        self.stubs = starts.into_iter().map(|start| memory.start().addr() + start).collect();
        self.links.keep(Arc::new(memory));
        Ok(())
    }

    /// How candidates of this program find each other.
    pub fn links(&self) -> &Arc<Links> {
        &self.links
    }

    /// Callees compiled since the last call of this.
    pub fn take_callees(&mut self) -> Vec<Candidate> {
        std::mem::take(&mut self.callees)
    }

    /// Compiles and installs a request; callers among candidates then use a function's code.
    ///
    /// # Errors
    /// Why there is no code.
    pub fn compile(&mut self, request: &CodeRequest) -> Result<Candidate, Refusal> {
        let number = NEXT_CANDIDATE.fetch_add(1, Ordering::Relaxed);
        let snapshot = Arc::clone(&self.snapshot);
        if let EntryPoint::Call { .. } = request.entry
            && snapshot
                .frame(request.frame)
                .is_some_and(|frame| usize::from(frame.parameters) > MAX_PARAMETERS)
        {
            return Err(Refusal::TooLarge);
        }
        self.seen.extend(&request.feedback.seen);
        let depth = self.under_way.len();
        let outer = std::mem::take(&mut self.unresolved);
        let built = ir::build(&snapshot, request, self);
        let unresolved = std::mem::replace(&mut self.unresolved, outer);
        self.under_way.truncate(depth);
        let (mut function, returns) = built?;
        let mut text = String::new();
        if self.options.keep_ir {
            let _ = writeln!(text, "; built\n{}", ir::dump(&function));
        }
        debug_assert_eq!(ir::verify(&function), Ok(()), "{}", ir::dump(&function));
        let calls = self.inline(&mut function, unresolved);
        passes::run(&mut function, &self.options.skipped_passes.clone(), |pass, function| {
            if self.options.keep_ir {
                let _ = writeln!(text, "; after {}\n{}", pass.name(), ir::dump(function));
            }
        });
        // Taken before unrolling: callers inline the function as it is.
        let body = function.signature.is_some().then(|| {
            match passes::inline::obstacle(&function, &snapshot) {
                None => Ok(function.clone()),
                Some(why) => Err(why),
            }
        });
        let own_link =
            function.signature.as_ref().and_then(|signature| self.links.number(signature));
        if !self.options.no_inlining
            && own_link.is_some_and(|link| passes::inline::unroll(&mut function, link))
        {
            passes::run(&mut function, &self.options.skipped_passes.clone(), |_, _| {});
            if self.options.keep_ir {
                let _ = writeln!(text, "; after unrolling\n{}", ir::dump(&function));
            }
        }
        let candidate = self.install(number, request, &function, returns, text, calls)?;
        if let Some(link) =
            function.signature.as_ref().and_then(|signature| self.links.find(signature))
        {
            self.bodies.extend(body.map(|body| (link.number, body)));
        }
        Ok(candidate)
    }

    /// Small functions; gives what became of each call.
    fn inline(&self, function: &mut IrFunction, unresolved: BTreeSet<CallNote>) -> Vec<CallNote> {
        let mut notes = unresolved;
        if !self.options.no_inlining {
            let done = passes::inline::inline(function, |callee| {
                self.bodies.get(&callee.link)?.as_ref().ok()
            });
            for call in done.inlined {
                notes.insert(CallNote {
                    at: call.at,
                    function: Some(call.function),
                    refused: None,
                });
            }
            for (call, why) in done.refused {
                notes.insert(CallNote {
                    at: call.at,
                    function: Some(call.function),
                    refused: Some(why.into()),
                });
            }
        }
        for block in &function.blocks {
            for step in &block.steps {
                let ir::Inst::Call { callee, exit, .. } = step.inst else { continue };
                let why = match self.bodies.get(&callee.link) {
                    _ if self.options.no_inlining => "inlining is off",
                    Some(Err(why)) => why,
                    Some(Ok(_)) => continue,
                    None => "it calls itself",
                };
                let at = function.called_at(exit);
                notes.insert(CallNote {
                    at,
                    function: Some(callee.function),
                    refused: Some(why.into()),
                });
            }
            if let ir::BlockEnd::Leave(exit) = block.end
                && let at = function.exits[exit.0 as usize].at
                && let Some(Op::CallIndirect { .. }) = self.snapshot.code().get(at as usize)
            {
                notes.insert(CallNote {
                    at,
                    function: None,
                    refused: Some("it is called by its name".into()),
                });
            }
        }
        notes.into_iter().collect()
    }

    fn install(
        &mut self,
        number: u64,
        request: &CodeRequest,
        function: &IrFunction,
        returns: ReturnForm,
        ir: String,
        calls: Vec<CallNote>,
    ) -> Result<Candidate, Refusal> {
        let links = Arc::clone(&self.links);
        let own_link = match &function.signature {
            Some(signature) => match links.find(signature) {
                // Running code relies on the first answer.
                Some(link) if link.returns != returns => {
                    return Err(Refusal::NoCode(
                        "the function gives something else than before".into(),
                    ));
                }
                Some(link) => Some(link.number),
                None => Some(links.number(signature).ok_or(Refusal::TooLarge)?),
            },
            None => None,
        };
        let stubs = self.stubs.clone();
        let names = Names {
            candidate: number,
            links: &links,
            own_link,
            returns,
            stubs: &stubs,
            lists_lines: self.options.listing.is_some(),
        };
        let mut code = Assembled::default();
        let mut assembly = String::new();
        self.assemble(&mut code, &mut assembly, |convention, config, into, scratch| {
            lower(function, &names, convention, config, into, scratch);
        })?;
        let entry_at = code.bytes.len().next_multiple_of(ALIGNMENT);
        let is_call = function.signature.is_some();
        if is_call {
            self.assemble(&mut code, &mut assembly, |convention, config, into, scratch| {
                lower_entry(function, &names, convention, config, into, scratch);
            })?;
        }
        let memory = Arc::new(code.install()?);
        self.list(&code, &memory, |number| self.symbol_name(request, number > 0));
        if let Some(signature) = &function.signature {
            let stub = match links.find(signature) {
                Some(link) => link.stub(),
                None => self.stub(function, &names)?,
            };
            links.publish(signature.clone(), returns, Arc::clone(&memory), stub);
        }
        let parameters = function.signature.as_ref().map_or(0, |known| known.parameters.len());
        let guards = function.guards as usize + parameters;
        // Guards of the entry are numbered after those of the body.
        let of_entry = (function.guards..guards as u32)
            .map(|guard| (guard, (function.blocks[0].at, ir::ExitReason::Argument)));
        let of_body =
            function.exits.iter().filter_map(|exit| Some((exit.guard?, (exit.at, exit.reason))));
        let reasons = of_body.chain(of_entry).collect();
        Ok(Candidate {
            number,
            frame: request.frame,
            entry: request.entry.clone(),
            signature: function.signature.clone(),
            counters: CandidateCounters::new(guards),
            guards: reasons,
            entry_at: if is_call { entry_at } else { 0 },
            memory,
            links,
            ir,
            assembly,
            calls,
        })
    }

    /// Code that leaves at once, in place of a function's.
    fn stub(
        &mut self,
        function: &IrFunction,
        names: &Names<'_>,
    ) -> Result<Arc<CodeMemory>, Refusal> {
        let mut stub = function.clone();
        let Some(begin) = stub.begin.take() else { return Err(Refusal::NotThere) };
        let first = &mut stub.blocks[0];
        first.end = ir::BlockEnd::Leave(begin);
        first.steps.retain(|step| matches!(step.inst, ir::Inst::StoreNothing { .. }));
        stub.blocks.truncate(1);
        let mut code = Assembled::default();
        self.assemble(&mut code, &mut String::new(), |convention, config, into, scratch| {
            lower(&stub, names, convention, config, into, scratch);
        })?;
        let memory = code.install()?;
        self.list(&code, &memory, |_| format!("{} (leaves)", self.frame_name(function.frame)));
        Ok(Arc::new(memory))
    }

    fn frame_name(&self, frame: FrameName) -> String {
        match frame {
            FrameName::Function(_) => {
                format!(
                    "awk {}",
                    self.snapshot.frame(frame).map_or("", |frame| frame.name.as_str())
                )
            }
            phase => format!("awk {phase}"),
        }
    }

    fn symbol_name(&self, request: &CodeRequest, enters: bool) -> String {
        let name = self.frame_name(request.frame);
        let header = match &request.entry {
            EntryPoint::Call { .. } if enters => return format!("{name} (entered)"),
            EntryPoint::Call { .. } => return name,
            EntryPoint::Loop { header, .. } => *header,
        };
        let place = self.options.listing.as_ref().and_then(|(_, lines)| lines.find(header));
        place.map_or_else(|| name.clone(), |(file, line)| format!("{name} loop at {file}:{line}"))
    }

    fn list(&self, code: &Assembled, memory: &CodeMemory, name: impl Fn(usize) -> String) {
        let Some((listing, lines)) = &self.options.listing else { return };
        for (number, function) in code.functions.iter().enumerate() {
            let found = function.lines.iter().filter_map(|&(offset, at)| {
                let (file, line) = lines.find(at)?;
                Some((offset, file, line))
            });
            let mut places: Vec<(u32, &str, u32)> = found.collect();
            places.dedup_by(|b, a| (a.1, a.2) == (b.1, b.2));
            // Calls within the code are relocated on installation, so the installed code is read.
            let address = memory.start().addr() + function.range.start;
            let code = &memory.bytes()[function.range.clone()];
            listing.add(&Symbol {
                name: &name(number),
                address: address as u64,
                code,
                lines: &places,
            });
        }
    }

    fn assemble(
        &mut self,
        code: &mut Assembled,
        assembly: &mut String,
        fill: impl FnOnce(
            CallConv,
            cranelift_codegen::isa::TargetFrontendConfig,
            &mut clif::Function,
            &mut FunctionBuilderContext,
        ),
    ) -> Result<(), Refusal> {
        self.context.clear();
        fill(
            self.isa.default_call_conv(),
            self.isa.frontend_config(),
            &mut self.context.func,
            &mut self.scratch,
        );
        self.context.set_disasm(self.options.keep_assembly);
        let compiled = self
            .context
            .compile(&*self.isa, &mut ControlPlane::default())
            .map_err(|error| Refusal::NoCode(format!("{:?}", error.inner)))?;
        if let Some(text) = &compiled.vcode {
            assembly.push_str(text);
        }
        let start = code.bytes.len().next_multiple_of(ALIGNMENT);
        code.bytes.resize(start, 0x90);
        code.bytes.extend_from_slice(compiled.code_buffer());
        if self.options.listing.is_some() {
            let lines = compiled.buffer.get_srclocs_sorted().iter();
            let lines = lines
                .filter(|at| !at.loc.is_default())
                .map(|at| (at.start, at.loc.bits()))
                .collect();
            code.functions.push(Assembly { range: start..code.bytes.len(), lines });
        }
        for relocation in compiled.buffer.relocs() {
            let is_own = matches!(
                &relocation.target,
                FinalizedRelocTarget::ExternalName(clif::ExternalName::User(_))
            );
            if relocation.kind != machine::CALL || !is_own {
                return Err(Refusal::NoCode(format!("a relocation of kind {:?}", relocation.kind)));
            }
            code.own_calls.push((start + relocation.offset as usize, relocation.addend));
        }
        Ok(())
    }

    fn seen_in(&self, function: u32) -> BTreeMap<u32, Seen> {
        let Some(frame) = self.snapshot.frame(FrameName::Function(function)) else {
            return BTreeMap::new();
        };
        self.seen.range(frame.code.clone()).map(|(at, seen)| (*at, *seen)).collect()
    }

    /// Whether the types in a function's loops are unknown although its callers were seen: the
    /// interpreter takes the call, and sees them. Compiled all the same, a quicksort took 1.2 times
    /// the interpreter's instructions.
    fn is_unseen(&self, function: u32) -> bool {
        !self.seen.is_empty()
            && self.snapshot.has_loop(function)
            && self.seen_in(function).is_empty()
    }

    fn compile_callee(&mut self, signature: &Signature) -> Option<()> {
        let ty = |class: &InstClass| match class {
            InstClass::Number => Some(Type::Num),
            InstClass::Array => Some(Type::Array),
            InstClass::Nothing => Some(Type::Uninit),
            InstClass::Any => None,
        };
        let seen = self.seen_in(signature.function);
        let request = CodeRequest {
            frame: FrameName::Function(signature.function),
            entry: EntryPoint::Call { arguments: signature.parameters.iter().map(ty).collect() },
            feedback: Feedback { seen },
        };
        let candidate = self.compile(&request).ok()?;
        self.callees.push(candidate);
        Some(())
    }
}

impl SlotResolver for Compiler {
    fn views(&self) -> bool {
        !self.options.skipped_passes.contains(&passes::Pass::Views)
    }

    fn resolve(&mut self, signature: &Signature, at: u32) -> Option<Callee> {
        let callee = |number: u32, returns: ReturnForm| Callee {
            function: signature.function,
            link: number,
            returns,
        };
        if let Some(link) = self.links.find(signature) {
            return Some(callee(link.number, link.returns));
        }
        if let Some((innermost, returns)) = self.under_way.last()
            && innermost == signature
        {
            return Some(callee(self.links.number(signature)?, *returns));
        }
        let why = if self.under_way.iter().any(|(other, _)| other == signature) {
            "it calls itself by way of others"
        } else if self.is_unseen(signature.function) {
            "nothing was seen of it"
        } else if self.under_way.len() >= MAX_LEVELS {
            "calls are nested too deep"
        } else if self.compile_callee(signature).is_some()
            && let Some(link) = self.links.find(signature)
        {
            return Some(callee(link.number, link.returns));
        } else {
            "it has no machine code"
        };
        self.unresolved.insert(CallNote {
            at,
            function: Some(signature.function),
            refused: Some(why.into()),
        });
        None
    }

    fn attempt(&mut self, signature: &Signature, returns: ReturnForm) {
        self.under_way.retain(|(other, _)| other != signature);
        self.under_way.push((signature.clone(), returns));
    }
}

#[derive(Default)]
struct Assembled {
    bytes: Vec<u8>,
    /// Calls to the code's own beginning: where the distance is, and what to add.
    own_calls: Vec<(usize, i64)>,
    /// Kept only for a listing.
    functions: Vec<Assembly>,
}

struct Assembly {
    range: std::ops::Range<usize>,
    /// Offsets where another operation begins, and which.
    lines: Vec<(u32, u32)>,
}

impl Assembled {
    fn install(&self) -> Result<CodeMemory, Refusal> {
        let fix = |bytes: &mut [u8], _: usize| {
            for &(place, addend) in &self.own_calls {
                // The code begins at 0.
                machine::set_call_distance(&mut bytes[place..], addend - place as i64);
            }
        };
        CodeMemory::install(&self.bytes, fix).map_err(|error| Refusal::NoCode(error.to_string()))
    }
}

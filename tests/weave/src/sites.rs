//! Where in a file a mutant can be chosen at run time.

use crate::listing::Mutant;
use proc_macro2::Span;
use std::cmp::Reverse;
use std::collections::HashMap;
use std::ops::Range;
use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::{BinOp, Expr};

/// What is rewritten so that a mutant can be chosen. Outer ones come first, and of the same range a
/// body or guard before the expression.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Site {
    start: usize,
    end: Reverse<usize>,
    pub kind: Kind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// The statements of a function: some may come first.
    Body,
    /// The end of the pattern of an arm without a guard.
    Arm,
    Guard(Binds),
    /// A `match`: the compiler complains when a required arm of it is guarded.
    Match,
    Expression,
}

impl Site {
    fn new(range: Range<usize>, kind: Kind) -> Site {
        Site { start: range.start, end: Reverse(range.end), kind }
    }

    pub fn range(&self) -> Range<usize> {
        self.start..self.end.0
    }
}

/// Whether a guard has a `let`: it can be neither skipped nor parenthesised.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Binds {
    Nothing,
    Names,
}

/// The sites of a file, by the kind of change and where it begins.
#[derive(Default)]
pub struct Sites {
    sites: HashMap<(&'static str, usize), Site>,
    matches: HashMap<Site, Site>,
    /// Constant contexts.
    constant: Vec<Range<usize>>,
}

impl Sites {
    pub fn of(source: &str) -> Result<Sites, String> {
        let file = syn::parse_file(source).map_err(|error| error.to_string())?;
        let mut sites = Sites::default();
        sites.visit_file(&file);
        Ok(sites)
    }

    /// The mutant's; none if it cannot be chosen at run time.
    pub fn site(&self, mutant: &Mutant) -> Option<Site> {
        let span = &mutant.span;
        if self
            .constant
            .iter()
            .any(|constant| constant.start <= span.start && span.end <= constant.end)
        {
            return None;
        }
        match mutant.genre.as_str() {
            "FnValue" => Some(Site::new(span.clone(), Kind::Body)),
            genre => {
                let site = self.sites.get(&(genre, span.start))?;
                let holds_names =
                    site.kind == Kind::Guard(Binds::Names) && mutant.replacement == "true";
                (!holds_names).then(|| site.clone())
            }
        }
    }

    pub fn match_of(&self, arm: &Site) -> Option<Site> {
        self.matches.get(arm).cloned()
    }

    fn note(&mut self, genre: &'static str, at: Span, site: Range<usize>, kind: Kind) {
        self.sites.insert((genre, at.byte_range().start), Site::new(site, kind));
    }

    fn constant(&mut self, of: &impl Spanned) {
        self.constant.push(of.span().byte_range());
    }

    fn function(&mut self, signature: &syn::Signature, block: &syn::Block) {
        if signature.constness.is_some() {
            self.constant(block);
        }
    }
}

fn has_let(expression: &Expr) -> bool {
    match expression {
        Expr::Let(_) => true,
        Expr::Binary(binary) if matches!(binary.op, BinOp::And(_)) => {
            has_let(&binary.left) || has_let(&binary.right)
        }
        _ => false,
    }
}

impl<'a> Visit<'a> for Sites {
    fn visit_expr_binary(&mut self, binary: &'a syn::ExprBinary) {
        if !has_let(&binary.left) && !has_let(&binary.right) {
            self.note(
                "BinaryOperator",
                binary.op.span(),
                binary.span().byte_range(),
                Kind::Expression,
            );
        }
        visit::visit_expr_binary(self, binary);
    }

    fn visit_expr_unary(&mut self, unary: &'a syn::ExprUnary) {
        self.note("UnaryOperator", unary.op.span(), unary.span().byte_range(), Kind::Expression);
        visit::visit_expr_unary(self, unary);
    }

    fn visit_expr_struct(&mut self, literal: &'a syn::ExprStruct) {
        for field in &literal.fields {
            self.note("StructField", field.span(), literal.span().byte_range(), Kind::Expression);
        }
        visit::visit_expr_struct(self, literal);
    }

    fn visit_expr_match(&mut self, whole: &'a syn::ExprMatch) {
        for arm in &whole.arms {
            let end = arm.pat.span().byte_range().end;
            let site = Site::new(whole.span().byte_range(), Kind::Match);
            self.matches.insert(Site::new(end..end, Kind::Arm), site);
        }
        visit::visit_expr_match(self, whole);
    }

    fn visit_arm(&mut self, arm: &'a syn::Arm) {
        match &arm.guard {
            None => {
                let end = arm.pat.span().byte_range().end;
                self.note("MatchArm", arm.span(), end..end, Kind::Arm);
            }
            Some((_, guard)) => {
                let binds = if has_let(guard) { Binds::Names } else { Binds::Nothing };
                self.note(
                    "MatchArmGuard",
                    guard.span(),
                    guard.span().byte_range(),
                    Kind::Guard(binds),
                );
            }
        }
        visit::visit_arm(self, arm);
    }

    fn visit_item_fn(&mut self, item: &'a syn::ItemFn) {
        self.function(&item.sig, &item.block);
        visit::visit_item_fn(self, item);
    }

    fn visit_impl_item_fn(&mut self, item: &'a syn::ImplItemFn) {
        self.function(&item.sig, &item.block);
        visit::visit_impl_item_fn(self, item);
    }

    fn visit_item_const(&mut self, item: &'a syn::ItemConst) {
        self.constant(item);
    }

    fn visit_impl_item_const(&mut self, item: &'a syn::ImplItemConst) {
        self.constant(item);
    }

    fn visit_trait_item_const(&mut self, item: &'a syn::TraitItemConst) {
        self.constant(item);
    }

    fn visit_item_static(&mut self, item: &'a syn::ItemStatic) {
        self.constant(item);
    }

    fn visit_expr_const(&mut self, block: &'a syn::ExprConst) {
        self.constant(block);
    }

    fn visit_type_array(&mut self, array: &'a syn::TypeArray) {
        self.constant(&array.len);
    }

    fn visit_expr_repeat(&mut self, array: &'a syn::ExprRepeat) {
        self.constant(&array.len);
        visit::visit_expr(self, &array.expr);
    }

    fn visit_generic_argument(&mut self, argument: &'a syn::GenericArgument) {
        self.constant(argument);
    }

    fn visit_variant(&mut self, variant: &'a syn::Variant) {
        self.constant(variant);
    }

    fn visit_pat(&mut self, pattern: &'a syn::Pat) {
        self.constant(pattern);
    }
}

//! On what a breakpoint stops the run: a condition, and a count of hits.

use riverhawk_tools::debugger::expression;
use riverhawk_vm::visits::Scene;

use crate::hit_condition::HitCondition;
use crate::protocol::When;

#[derive(Clone, Debug)]
pub(crate) struct Conditions {
    condition: Option<String>,
    hits: Option<HitCondition>,
}

impl Conditions {
    /// # Errors
    /// What the editor shows of it.
    pub(crate) fn parse(when: &When) -> Result<Conditions, String> {
        let condition = given(&when.condition);
        if let Some(condition) = &condition {
            expression::check(condition).map_err(|why| format!("`{condition}': {why}"))?;
        }
        let hits = given(&when.hit_condition);
        let hits = hits.map(|text| HitCondition::parse(&text)).transpose()?;
        Ok(Conditions { condition, hits })
    }

    /// Whether the condition is true. One that cannot be evaluated holds, and `complain` is told why.
    pub(crate) fn hold(&self, scene: &mut Scene<'_>, complain: impl Fn(&str)) -> bool {
        let Some(condition) = &self.condition else { return true };
        expression::is_true(condition, scene, 0).unwrap_or_else(|why| {
            complain(&format!("condition `{condition}': {why}\n"));
            true
        })
    }

    /// Whether the hit with this number, from 1, stops the run.
    pub(crate) fn hold_at(&self, hit: u64) -> bool {
        self.hits.is_none_or(|hits| hits.holds(hit))
    }
}

/// Editors send empty texts for what is not set.
pub(crate) fn given(text: &Option<String>) -> Option<String> {
    text.clone().filter(|text| !text.trim().is_empty())
}

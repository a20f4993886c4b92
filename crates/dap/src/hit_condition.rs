//! How often a breakpoint is passed before it stops the run.

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum HitCondition {
    AtLeast(u64),
    AtMost(u64),
    Exactly(u64),
    Every(u64),
}

impl HitCondition {
    /// A number of hits, alone (from that hit on) or behind `==`, `>=`, `>`, `<=`, `<` or `%`.
    ///
    /// # Errors
    /// It is none of these.
    pub(crate) fn parse(text: &str) -> Result<HitCondition, String> {
        let text = text.trim();
        let digits = text.trim_start_matches(['=', '<', '>', '%']);
        let count = digits.trim().parse::<u64>().ok().filter(|&count| count > 0);
        let operator = &text[..text.len() - digits.len()];
        match (operator, count) {
            ("" | ">=", Some(count)) => Ok(HitCondition::AtLeast(count)),
            (">", Some(count)) => Ok(HitCondition::AtLeast(count.saturating_add(1))),
            ("<=", Some(count)) => Ok(HitCondition::AtMost(count)),
            ("<", Some(count)) => Ok(HitCondition::AtMost(count - 1)),
            ("=" | "==" | "===", Some(count)) => Ok(HitCondition::Exactly(count)),
            ("%", Some(count)) => Ok(HitCondition::Every(count)),
            _ => Err(format!("`{text}' is no count of hits: try 3, == 3, >= 3 or % 3")),
        }
    }

    /// Whether the hit with this number, from 1, stops the run.
    pub(crate) fn holds(self, hit: u64) -> bool {
        match self {
            HitCondition::AtLeast(count) => hit >= count,
            HitCondition::AtMost(count) => hit <= count,
            HitCondition::Exactly(count) => hit == count,
            HitCondition::Every(count) => hit.is_multiple_of(count),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hits_are_counted_from_one() {
        let hits = |text: &str| {
            let condition = HitCondition::parse(text).unwrap();
            (1..=6).filter(|&hit| condition.holds(hit)).collect::<Vec<_>>()
        };
        assert_eq!(hits("3"), [3, 4, 5, 6]);
        assert_eq!(hits(" >= 3 "), [3, 4, 5, 6]);
        assert_eq!(hits(">3"), [4, 5, 6]);
        assert_eq!(hits("== 3"), [3]);
        assert_eq!(hits("% 3"), [3, 6]);
        assert_eq!(hits("<= 2"), [1, 2]);
        assert_eq!(hits("< 2"), [1]);
    }

    #[test]
    fn other_texts_are_refused() {
        for text in ["", "x", "0", "% 0", "!3", "3 4", "-1"] {
            assert!(HitCondition::parse(text).unwrap_err().contains("count of hits"), "{text}");
        }
    }
}

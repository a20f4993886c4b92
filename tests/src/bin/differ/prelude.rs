//! Functions that every generated program may call.

use crate::dialect::Dialect;

/// Keys are compared as text without IGNORECASE, so that the order is fixed.
const SHARED: &str = r#"function cap(v) { return length(v) > 60 ? substr(v, 1, 7) : v }
function dump(name, array,   k, n, i, j, t, keys, fold) {
  fold = IGNORECASE; IGNORECASE = 0
  for (k in array) keys[++n] = k ""
  for (i = 2; i <= n; i++) for (j = i; j > 1 && keys[j - 1] > keys[j]; j--) { t = keys[j]; keys[j] = keys[j - 1]; keys[j - 1] = t }
  for (i = 1; i <= n; i++) print name "[" keys[i] "]=<" array[keys[i]] ">"
  IGNORECASE = fold
}
"#;

/// For gawk's language: arrays of arrays, comparisons for sorting, `length` of a new array and
/// `typeof` without its stated divergences.
const GAWK: &str = r#"function walk(name, array,   k, n, i, j, t, keys, fold) {
  fold = IGNORECASE; IGNORECASE = 0
  for (k in array) keys[++n] = k ""
  for (i = 2; i <= n; i++) for (j = i; j > 1 && keys[j - 1] > keys[j]; j--) { t = keys[j]; keys[j] = keys[j - 1]; keys[j - 1] = t }
  for (i = 1; i <= n; i++)
    if (isarray(array[keys[i]])) walk(name "[" keys[i] "]", array[keys[i]])
    else print name "[" keys[i] "]=<" array[keys[i]] "> " kind(typeof(array[keys[i]]), array[keys[i]] "")
  IGNORECASE = fold
}
function kind(t, v) { return v "" == "" ? "empty" : t }
function filled(from, into,   k) {
  delete into
  for (k in from) if (!isarray(from[k]) && from[k] "" != "") into[k] = from[k]
  return length(into)
}
function by_number(i, v, j, w) { return v + 0 < w + 0 ? -1 : v + 0 > w + 0 ? 1 : by_text(i, v, j, w) }
function by_text(i, v, j, w) { v = v ""; w = w ""; return v < w ? -1 : v > w }
function by_length(i, v, j, w) { return length(v) != length(w) ? length(w) - length(v) : by_text(i, v, j, w) }
function by_key(i, v, j, w) { i = i ""; j = j ""; return i < j ? 1 : i > j ? -1 : 0 }
function size(array,   k, n) { for (k in array) n++; return n + length(array) }
function twice(v) { return v v }
function first(array, key) { return (key in array) ? array[key] : "none" }
"#;

pub fn of(dialect: Dialect) -> String {
    format!("{SHARED}{}", if dialect.has_extensions() { GAWK } else { "" })
}

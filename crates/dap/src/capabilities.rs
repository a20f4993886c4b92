//! What the adapter can do.

use serde_json::{Value, json};

/// The only one: runtime errors.
pub(crate) const ERRORS: &str = "error";

pub(crate) fn capabilities() -> Value {
    json!({
        "supportsConfigurationDoneRequest": true,
        "supportsFunctionBreakpoints": true,
        "supportsConditionalBreakpoints": true,
        "supportsHitConditionalBreakpoints": true,
        "supportsLogPoints": true,
        "supportsDataBreakpoints": true,
        "supportsEvaluateForHovers": true,
        "supportsSetVariable": true,
        "supportsSetExpression": true,
        "supportsClipboardContext": true,
        "supportsSteppingGranularity": true,
        "supportsExceptionInfoRequest": true,
        "supportsTerminateRequest": true,
        "supportsLoadedSourcesRequest": true,
        "supportsBreakpointLocationsRequest": true,
        "supportsDelayedStackTraceLoading": true,
        "supportTerminateDebuggee": true,
        "exceptionBreakpointFilters": [{
            "filter": ERRORS,
            "label": "Runtime errors",
            "description": "Stops where the program fails, before it ends.",
            "default": true,
        }],
    })
}

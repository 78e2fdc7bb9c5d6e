/** For guardrails that ask no model. */
export const noDecider = { ask: () => Promise.reject(new TypeError('No model is asked.')) };

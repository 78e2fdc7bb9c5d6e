/**
 * For every service. V8 lets the young generation grow to 16 MB and more per process before it cleans up, which with
 * thousands of open streams is a third of all memory; what a request leaves behind is gone after 8 MB just as well.
 */
export const serviceFlags = ['--max-semi-space-size=8'];

/** The embedded database is one large WebAssembly module: compiling it again for speed takes 600 MB at every start. */
export const allInOneFlags = [...serviceFlags, '--liftoff-only'];

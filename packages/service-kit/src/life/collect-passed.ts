/** A collection of the young generation takes about a millisecond. */
const collectedBytes = 2 * 1024 ** 2;

let passed = 0;

/**
 * Counts bytes that were passed on in pieces. Their buffers cost V8 hardly any heap, so they would wait for a collection until
 * there are some tens of megabytes of them. They are young, and a collection of the young generation frees them.
 */
export function collectPassed(bytes: number): void {
  passed += bytes;
  if (passed < collectedBytes) return;
  passed = 0;
  globalThis.gc?.({ type: 'minor', execution: 'sync' });
}

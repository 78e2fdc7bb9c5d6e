/** A shorter pause is not worth its two system calls. */
const minPauseMs = 0.2;

/**
 * Puts the whole thread to sleep, deliberately: no socket is read meanwhile. With a timer, every byte that arrives
 * would wake the event loop.
 */
export function createPause(): (ms: number) => void {
  const neverNotified = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  return (ms) => {
    if (ms >= minPauseMs) Atomics.wait(neverNotified, 0, 0, ms);
  };
}

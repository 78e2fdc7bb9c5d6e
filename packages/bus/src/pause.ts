/** Less is not worth the two system calls. */
const leastMs = 0.2;

/**
 * Puts the whole thread to sleep: no socket is looked at meanwhile, which is the point. A timer would leave the loop
 * awake for every byte that arrives.
 */
export function createPause(): (ms: number) => void {
  const nobody = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  return (ms) => {
    if (ms >= leastMs) Atomics.wait(nobody, 0, 0, ms);
  };
}

// Loaded into a service with --import: for its first five seconds the process gets a fifth of the time, in slices of
// 100 ms, as in a container that is limited to a fifth of a core.
const sliceMs = 100;
const cell = new Int32Array(new SharedArrayBuffer(4));
const slices = setInterval(() => void Atomics.wait(cell, 0, 0, sliceMs * 0.8), sliceMs).unref();
setTimeout(() => clearInterval(slices), 5_000).unref();

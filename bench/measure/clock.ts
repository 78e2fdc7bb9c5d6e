/** Microseconds on the machine's monotonic clock. Every process of one machine reads the same one, so stamps compare. */
export function microseconds(): number {
  const [seconds, nanoseconds] = process.hrtime();
  return seconds * 1e6 + Math.floor(nanoseconds / 1e3);
}

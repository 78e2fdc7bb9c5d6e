/**
 * Microseconds on the machine's monotonic clock. All processes of a machine share it, so their stamps are comparable.
 */
export function microseconds(): number {
  const [seconds, nanoseconds] = process.hrtime();
  return seconds * 1e6 + Math.floor(nanoseconds / 1e3);
}

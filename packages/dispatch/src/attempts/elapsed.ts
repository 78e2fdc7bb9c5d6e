/**
 * Milliseconds between two readings of the clock, in whole microseconds to stay short in JSON. The readings are rounded,
 * not their difference, so that parts of a request add up: an attempt does not end after the start of the next one.
 */
export const millisecondsBetween = (from: number, to: number): number => (microseconds(to) - microseconds(from)) / 1000;

export const millisecondsSince = (startedAt: number): number => millisecondsBetween(startedAt, performance.now());

const microseconds = (milliseconds: number): number => Math.round(milliseconds * 1000);

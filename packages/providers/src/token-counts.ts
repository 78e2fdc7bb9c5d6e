import { finiteNumber } from './read.ts';

/** A whole, non-negative number; `undefined` for anything else a vendor sends. */
export function tokenCount(value: unknown): number | undefined {
  const tokens = finiteNumber(value);
  return tokens === undefined || tokens < 0 ? undefined : Math.round(tokens);
}

/**
 * Whether one of the values is present but not a valid count. The usage is then unknown and estimated; 0 would be a
 * wrong figure.
 */
export const hasNoCount = (...values: readonly unknown[]): boolean =>
  values.some((value) => value !== undefined && value !== null && tokenCount(value) === undefined);

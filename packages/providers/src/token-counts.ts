import { finiteNumber } from './read.ts';

/** A count is whole and not negative; anything else a vendor writes there is not a count. */
export function tokenCount(value: unknown): number | undefined {
  const tokens = finiteNumber(value);
  return tokens === undefined || tokens < 0 ? undefined : Math.round(tokens);
}

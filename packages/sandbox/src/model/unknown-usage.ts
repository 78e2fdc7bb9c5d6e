import { hasDirective } from './directives.ts';
import type { MeteredCount } from './metered.ts';

interface UnknownUsage {
  /** Members of the usage. */
  readonly members: object;
  readonly counts: readonly MeteredCount[];
}

const count = 7;

/** `[unknown-class]`: a count in the usage that no client knows, and that the vendor bills. */
export const unknownUsage = (text: string): UnknownUsage =>
  hasDirective(text, 'unknown-class')
    ? { members: { future_tokens: count }, counts: [{ of: 'unknown', count }] }
    : { members: {}, counts: [] };

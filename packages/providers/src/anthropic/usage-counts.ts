import { type Members, members } from '../read.ts';
import { tokenCount } from '../token-counts.ts';

/** The tokens of one run of a model, each in one class. */
export interface ClaudeCounts {
  readonly fresh: number;
  readonly read: number;
  /** For five minutes and for an hour. */
  readonly written: number;
  /** The part of `written` that is kept for an hour. */
  readonly hour: number;
  readonly output: number;
}

export function countsOf(raw: Members): ClaudeCounts {
  const hour = tokenCount(members(raw.cache_creation).ephemeral_1h_input_tokens) ?? 0;
  const minutes = tokenCount(members(raw.cache_creation).ephemeral_5m_input_tokens) ?? 0;
  const written = tokenCount(raw.cache_creation_input_tokens) ?? hour + minutes;
  return {
    fresh: tokenCount(raw.input_tokens) ?? 0,
    read: tokenCount(raw.cache_read_input_tokens) ?? 0,
    written,
    hour: Math.min(hour, written),
    output: tokenCount(raw.output_tokens) ?? 0,
  };
}

export const addedCounts = (one: ClaudeCounts, other: ClaudeCounts): ClaudeCounts => ({
  fresh: one.fresh + other.fresh,
  read: one.read + other.read,
  written: one.written + other.written,
  hour: one.hour + other.hour,
  output: one.output + other.output,
});

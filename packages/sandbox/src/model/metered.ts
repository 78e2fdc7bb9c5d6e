import type { TokenCounts } from './tokens.ts';

/** What vendors count and charge. Every token is in one class; the others are counts of calls. */
export type MeteredClass =
  | 'input'
  | 'audio_input'
  | 'cache_read'
  | 'audio_cache_read'
  | 'cache_write'
  | 'cache_write_5m'
  | 'cache_write_30m'
  | 'cache_write_1h'
  | 'cache_write_12h'
  | 'tool_prompt'
  | 'compaction_input'
  | 'compaction_output'
  | 'advisor_input'
  | 'advisor_output'
  | 'output'
  | 'reasoning'
  | 'image_output'
  | 'image_gen_input'
  | 'image_gen_output'
  | 'web_search'
  | 'web_fetch'
  | 'grounding'
  | 'search_unit'
  | 'unknown';

/** The classes of the prompt, on whose size prices can depend. */
export const promptClasses: ReadonlySet<MeteredClass> = new Set([
  'input',
  'audio_input',
  'cache_read',
  'audio_cache_read',
  'cache_write',
  'cache_write_5m',
  'cache_write_30m',
  'cache_write_1h',
  'cache_write_12h',
]);

export interface MeteredCount {
  readonly of: MeteredClass;
  readonly count: number;
  /** The model that ran, if it is another one than the request names. */
  readonly model?: string;
}

/** The billed usage of one answer. */
export interface Metered {
  /** As the vendor names it. */
  readonly tier: string;
  /** Where the model ran, if this has a price. */
  readonly geo?: string;
  /** Without zeros. */
  readonly counts: readonly MeteredCount[];
}

interface Metering {
  readonly tier?: string;
  readonly geo?: string | undefined;
  readonly more?: readonly MeteredCount[];
}

/** The classes that every vendor has, and `more`. */
export function metered(spent: TokenCounts, { tier = 'default', geo, more = [] }: Metering = {}): Metered {
  const counts: MeteredCount[] = [
    { of: 'input', count: spent.fresh },
    { of: 'cache_read', count: spent.cacheRead },
    { of: 'cache_write', count: spent.cacheWrite },
    { of: 'output', count: spent.visible },
    { of: 'reasoning', count: spent.reasoning },
    ...more,
  ];
  return { tier, ...(geo !== undefined && { geo }), counts: counts.filter(({ count }) => count > 0) };
}

export const meteredInput = (count: number): Metered => ({ tier: 'default', counts: [{ of: 'input', count }] });

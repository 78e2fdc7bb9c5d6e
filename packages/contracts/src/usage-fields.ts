import { z } from 'zod';
import { byName, namesOf } from './by-name.ts';
import {
  usageAttempts,
  usageCount,
  usageFlags,
  usageMilliseconds,
  usageMoney,
  usageOperation,
  usageSource,
  usageText,
} from './usage-values.ts';

/**
 * What a usage record holds: the one place where its fields are listed. The record on the bus, the ledger's columns, the
 * sums by hour and day, the answers about usage and the CSV export follow from these tables, in this order. How to add a
 * field: CONTRIBUTING.md.
 */
export interface UsageField {
  /** In a record. A new field is optional: older versions do not send it. */
  schema: z.ZodType;
  /** The column in the ledger and the CSV export, and the member in answers of `/v1`. */
  name: string;
  type: 'bigint' | 'boolean' | 'double precision' | 'jsonb' | 'numeric' | 'text' | 'timestamptz';
  /** What the column holds when a record lacks the field; null when left out. */
  absent?: string | number;
  /** The sums by hour and day have it, too. */
  summed?: true;
  /** Not in the CSV export. */
  csv?: false;
}

/** The caller, what it asked for, and what was tried. */
export const requestFields = {
  id: { schema: usageText, name: 'id', type: 'text' },
  requestId: { schema: usageText, name: 'request_id', type: 'text' },
  /** When it ended, by the clock of the service: the month and the hour it belongs to follow from this alone. */
  at: { schema: z.iso.datetime(), name: 'at', type: 'timestamptz' },
  accountId: { schema: usageText, name: 'account_id', type: 'text', csv: false },
  keyId: { schema: usageText, name: 'key_id', type: 'text' },
  operation: { schema: usageOperation, name: 'operation', type: 'text' },
  requestedModel: { schema: usageText, name: 'requested_model', type: 'text' },
  model: { schema: usageText, name: 'model', type: 'text' },
  /** The provider that served; absent when none did. */
  provider: { schema: usageText.optional(), name: 'provider', type: 'text', absent: '' },
  attempts: { schema: usageAttempts, name: 'attempts', type: 'jsonb', csv: false },
} satisfies Record<string, UsageField>;

/** A class of tokens. The column's name is the class's with `_tokens` behind it. */
export interface TokenField {
  name: string;
  /** What it is a part of. */
  of: 'prompt' | 'answer';
  /** Kinds of price in the catalogue, the first that an offer has. */
  prices: readonly string[];
}

/** Classes of tokens that do not overlap: every token is in one of them, and is paid for once. */
export const tokenFields = {
  input: { name: 'input', of: 'prompt', prices: ['prompt'] },
  cacheRead: { name: 'cache_read', of: 'prompt', prices: ['input_cache_read', 'prompt'] },
  cacheWrite: { name: 'cache_write', of: 'prompt', prices: ['input_cache_write', 'prompt'] },
  output: { name: 'output', of: 'answer', prices: ['completion'] },
  reasoning: { name: 'reasoning', of: 'answer', prices: ['internal_reasoning', 'completion'] },
  imageIn: { name: 'image_in', of: 'prompt', prices: ['prompt'] },
  imageOut: { name: 'image_out', of: 'answer', prices: ['completion'] },
} satisfies Record<string, TokenField>;

export type TokenClass = keyof typeof tokenFields;
export const tokenClasses = namesOf(tokenFields);

/** A count besides tokens, part of every sum and answer about usage; 0 where a record lacks it. */
export interface CountField extends Pick<UsageField, 'schema' | 'name'> {
  /** On the dashboard. */
  title: string;
}

export const countFields = {
  images: { schema: usageCount, name: 'images', title: 'Images' },
} satisfies Record<string, CountField>;

/** What is paid for: tokens by their class, images, the request as such, or what the vendor says that it all cost. */
export const costClasses = [...tokenClasses, 'images', 'request', 'vendor'] as const;
export type CostClass = (typeof costClasses)[number];

/** What it cost, and how it ended. */
export const outcomeFields = {
  /** `null`: it is not known, see `flags`. */
  cost: { schema: usageMoney.nullable(), name: 'cost', type: 'numeric', summed: true },
  costs: {
    schema: z.object(byName(costClasses, () => usageMoney.optional())),
    name: 'costs',
    type: 'jsonb',
    csv: false,
  },
  /** The catalogue's version whose prices these are. */
  priceVersion: { schema: usageText, name: 'price_version', type: 'text' },
  source: { schema: usageSource, name: 'source', type: 'text' },
  flags: { schema: usageFlags, name: 'flags', type: 'jsonb' },
  /** Paid by the account itself, with its own key at the provider. */
  ownKey: { schema: z.boolean(), name: 'own_key', type: 'boolean' },
  cached: { schema: z.boolean(), name: 'cached', type: 'boolean' },
  stream: { schema: z.boolean(), name: 'stream', type: 'boolean' },
  durationMs: { schema: usageMilliseconds, name: 'duration_ms', type: 'double precision', summed: true },
  firstByteMs: { schema: usageMilliseconds.optional(), name: 'first_byte_ms', type: 'double precision' },
  endReason: { schema: usageText, name: 'end_reason', type: 'text' },
} satisfies Record<string, UsageField>;

import { z } from 'zod';
import { byName, namesOf } from './by-name.ts';
import {
  usageAttempts,
  usageCount,
  usageDetails,
  usageFindings,
  usageFlags,
  usageMilliseconds,
  usageMoney,
  usageSource,
  usageText,
} from './usage-values.ts';
import { usageOperation } from './paid-operations.ts';

/**
 * The fields of a usage record. The record on the bus, the ledger's columns, the sums by hour and day, the usage
 * responses and the CSV export are derived from these tables, in this order. To add a field, see CONTRIBUTING.md.
 */
export interface UsageField {
  /** The schema of the field. Make a new field optional: older versions do not send it. */
  schema: z.ZodType;
  /** The column in the ledger and the CSV export, and the member in responses of `/v1`. */
  name: string;
  type: 'bigint' | 'boolean' | 'double precision' | 'jsonb' | 'numeric' | 'text' | 'timestamptz';
  /** The column's value when a record lacks the field; null by default. */
  absent?: string | number;
  /** Also part of the sums by hour and day. */
  summed?: true;
  /** Not in the CSV export. */
  csv?: false;
}

/** The caller, the request, and the attempts. */
export const requestFields = {
  id: { schema: usageText, name: 'id', type: 'text' },
  requestId: { schema: usageText, name: 'request_id', type: 'text' },
  /** When the request ended, by the clock of the service. Its month and hour are derived from this alone. */
  at: { schema: z.iso.datetime(), name: 'at', type: 'timestamptz' },
  accountId: { schema: usageText, name: 'account_id', type: 'text', csv: false },
  keyId: { schema: usageText, name: 'key_id', type: 'text' },
  /** The project of the key when the request was made. */
  projectId: { schema: usageText.optional(), name: 'project_id', type: 'text' },
  operation: { schema: usageOperation, name: 'operation', type: 'text' },
  requestedModel: { schema: usageText, name: 'requested_model', type: 'text' },
  model: { schema: usageText, name: 'model', type: 'text' },
  /** The provider that answered; absent when none did. */
  provider: { schema: usageText.optional(), name: 'provider', type: 'text', absent: '' },
  attempts: { schema: usageAttempts, name: 'attempts', type: 'jsonb', csv: false },
} satisfies Record<string, UsageField>;

/** A class of tokens. Its column is `name` followed by `_tokens`. */
export interface TokenField {
  name: string;
  /** Whether it counts towards the prompt or the answer. */
  of: 'prompt' | 'answer';
  /** Kinds of price in the catalogue; the first one that the offer has applies. */
  prices: readonly string[];
}

/** Disjoint classes of tokens: every token is in exactly one, so it is billed once. */
export const tokenFields = {
  input: { name: 'input', of: 'prompt', prices: ['prompt'] },
  cacheRead: { name: 'cache_read', of: 'prompt', prices: ['input_cache_read', 'prompt'] },
  cacheWrite: { name: 'cache_write', of: 'prompt', prices: ['input_cache_write', 'prompt'] },
  output: { name: 'output', of: 'answer', prices: ['completion'] },
  reasoning: { name: 'reasoning', of: 'answer', prices: ['internal_reasoning', 'completion'] },
  imageIn: { name: 'image_in', of: 'prompt', prices: ['image_input', 'prompt'] },
  imageOut: { name: 'image_out', of: 'answer', prices: ['image_output', 'completion'] },
  audioIn: { name: 'audio_in', of: 'prompt', prices: ['audio_input', 'prompt'] },
  audioOut: { name: 'audio_out', of: 'answer', prices: ['audio_output', 'completion'] },
} satisfies Record<string, TokenField>;

export type TokenClass = keyof typeof tokenFields;
export const tokenClasses = namesOf(tokenFields);

/** A count other than tokens. It is part of every sum and usage response, and 0 where a record lacks it. */
interface CountField extends Pick<UsageField, 'schema' | 'name'> {
  /** The title on the dashboard. */
  title: string;
}

export const countFields = {
  images: { schema: usageCount, name: 'images', title: 'Images' },
  /** Of text read aloud. */
  characters: { schema: usageCount.optional(), name: 'characters', title: 'Characters' },
  /** Of audio written down, rounded up. */
  audioSeconds: { schema: usageCount.optional(), name: 'audio_seconds', title: 'Seconds of audio' },
} satisfies Record<string, CountField>;

export type CountClass = keyof typeof countFields;
export const countClasses = namesOf(countFields);

/** What costs are made up of: classes of tokens, counts, a price per request, or a total reported by the vendor. */
export const costClasses = [...tokenClasses, ...countClasses, 'request', 'vendor'] as const;
export type CostClass = (typeof costClasses)[number];

/** The cost of the request, and how it ended. */
export const outcomeFields = {
  /** `null` when unknown, see `flags`. */
  cost: { schema: usageMoney.nullable(), name: 'cost', type: 'numeric', summed: true },
  costs: {
    schema: z.object(byName(costClasses, () => usageMoney.optional())),
    name: 'costs',
    type: 'jsonb',
    csv: false,
  },
  /** The version of the catalogue that the prices are from. */
  priceVersion: { schema: usageText, name: 'price_version', type: 'text' },
  source: { schema: usageSource, name: 'source', type: 'text' },
  flags: { schema: usageFlags, name: 'flags', type: 'jsonb' },
  /** Whether the account's own provider key was used, so that the account pays the provider itself. */
  ownKey: { schema: z.boolean(), name: 'own_key', type: 'boolean' },
  cached: { schema: z.boolean(), name: 'cached', type: 'boolean' },
  stream: { schema: z.boolean(), name: 'stream', type: 'boolean' },
  durationMs: { schema: usageMilliseconds, name: 'duration_ms', type: 'double precision', summed: true },
  firstByteMs: { schema: usageMilliseconds.optional(), name: 'first_byte_ms', type: 'double precision' },
  endReason: { schema: usageText, name: 'end_reason', type: 'text' },
  guardrails: { schema: usageFindings.optional(), name: 'guardrails', type: 'jsonb', csv: false },
  /** What the tokens that the provider read from its prompt cache would have cost more as ordinary input. */
  promptCacheSavings: {
    schema: usageMoney.optional(),
    name: 'prompt_cache_savings',
    type: 'numeric',
    absent: '0',
    summed: true,
  },
  /** The HTTP status of the response, or of the error that ended its stream. */
  status: { schema: z.int().min(100).max(599).optional(), name: 'status', type: 'bigint' },
  /** The code of the error that the client got. */
  error: { schema: usageText.optional(), name: 'error', type: 'text' },
  details: { schema: usageDetails.optional(), name: 'details', type: 'jsonb', csv: false },
} satisfies Record<string, UsageField>;

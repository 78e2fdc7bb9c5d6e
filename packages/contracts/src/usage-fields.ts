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
  /** The end user that the request named. */
  endUser: { schema: usageText.optional(), name: 'end_user', type: 'text' },
  operation: { schema: usageOperation, name: 'operation', type: 'text' },
  requestedModel: { schema: usageText, name: 'requested_model', type: 'text' },
  model: { schema: usageText, name: 'model', type: 'text' },
  /** The service tier that the request asks, in OpenAI's words; absent if it names none. */
  tierAsked: { schema: usageText.optional(), name: 'tier_asked', type: 'text' },
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
  /** Kinds that apply where the offer has none of these, and may be too low: the record is flagged `unpriced_class`. */
  lowPrices?: readonly string[];
  /** Where the offer lacks this kind, the low prices are the right ones: this medium costs what text does. */
  medium?: string;
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
  /** Cache writes by how long they are kept; `cacheWrite` has those of 5 minutes and those without a lifetime. */
  cacheWrite30m: {
    name: 'cache_write_30m',
    of: 'prompt',
    prices: ['input_cache_write_30m', 'input_cache_write', 'prompt'],
  },
  cacheWrite1h: {
    name: 'cache_write_1h',
    of: 'prompt',
    prices: ['input_cache_write_1h'],
    lowPrices: ['input_cache_write', 'prompt'],
  },
  cacheWrite12h: {
    name: 'cache_write_12h',
    of: 'prompt',
    prices: ['input_cache_write_12h'],
    lowPrices: ['input_cache_write', 'prompt'],
  },
  /** The vendor summarizes a conversation that has become too long, and bills what it read and wrote for that. */
  compactionIn: { name: 'compaction_in', of: 'prompt', prices: ['prompt'] },
  compactionOut: { name: 'compaction_out', of: 'answer', prices: ['completion'] },
  /** Results of the vendor's own tools, which the model reads. */
  toolPrompt: { name: 'tool_prompt', of: 'prompt', prices: ['prompt'] },
  /** Of other models that take part in the answer, at their own prices. */
  advisorIn: { name: 'advisor_in', of: 'prompt', prices: [] },
  advisorOut: { name: 'advisor_out', of: 'answer', prices: [] },
  imageToolIn: { name: 'image_tool_in', of: 'prompt', prices: [] },
  imageToolOut: { name: 'image_tool_out', of: 'answer', prices: [] },
  /** Audio and images that the vendor read from its cache; `cacheRead` has its text. */
  audioCacheRead: {
    name: 'audio_cache_read',
    of: 'prompt',
    prices: ['audio_cache_read'],
    lowPrices: ['input_cache_read', 'prompt'],
    medium: 'audio_input',
  },
  imageCacheRead: {
    name: 'image_cache_read',
    of: 'prompt',
    prices: ['image_cache_read'],
    lowPrices: ['input_cache_read', 'prompt'],
    medium: 'image_input',
  },
} satisfies Record<string, TokenField>;

export type TokenClass = keyof typeof tokenFields;
export const tokenClasses = namesOf(tokenFields);

/** A count other than tokens. It is part of every sum and usage response, and 0 where a record lacks it. */
interface CountField extends Pick<UsageField, 'schema' | 'name'> {
  /** The title on the dashboard. */
  title: string;
}

interface ToolField extends CountField {
  /** The kind of price in the catalogue. */
  price: string;
}

const toolField = (name: string, title: string, price: string) => ({
  schema: usageCount.optional(),
  name,
  title,
  price,
});

/** Uses of a vendor's own tools, each billed by the count. */
export const toolFields = {
  webSearches: toolField('web_searches', 'Web searches', 'web_search'),
  webFetches: toolField('web_fetches', 'Web fetches', 'web_fetch'),
  codeSessions: toolField('code_sessions', 'Code sessions', 'code_interpreter'),
  fileSearches: toolField('file_searches', 'File searches', 'file_search'),
  /** Answers grounded in Google's search, and the queries where the vendor bills each. */
  groundingSearches: toolField('grounding_searches', 'Groundings in Google Search', 'web_search'),
  groundingMaps: toolField('grounding_maps', 'Groundings in Google Maps', 'grounding_maps'),
  groundingImages: toolField('grounding_images', 'Groundings in image search', 'grounding_images'),
} satisfies Record<string, ToolField>;

export const countFields = {
  images: { schema: usageCount, name: 'images', title: 'Images' },
  /** Of text read aloud. */
  characters: { schema: usageCount.optional(), name: 'characters', title: 'Characters' },
  /** Of audio written down, rounded up. */
  audioSeconds: { schema: usageCount.optional(), name: 'audio_seconds', title: 'Seconds of audio' },
  ...toolFields,
  /** Of rerankers that bill by them: a query with up to 100 documents. */
  searchUnits: { schema: usageCount.optional(), name: 'search_units', title: 'Search units' },
} satisfies Record<string, CountField>;

export type ToolClass = keyof typeof toolFields;
export const toolClasses = namesOf(toolFields);

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
  /** The service tier that the vendor billed, in its own words; absent for the standard one. */
  tier: { schema: usageText.optional(), name: 'tier', type: 'text' },
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
  /** An estimate: tokens that the turn before had sent, where the vendor caches only what is marked and nothing was. */
  cacheableTokens: {
    schema: usageCount.optional(),
    name: 'cacheable_tokens',
    type: 'bigint',
    absent: 0,
    summed: true,
  },
  /** What the tokens that the provider wrote to its prompt cache cost more than ordinary input. */
  promptCacheSurcharge: {
    schema: usageMoney.optional(),
    name: 'prompt_cache_surcharge',
    type: 'numeric',
    absent: '0',
    summed: true,
  },
} satisfies Record<string, UsageField>;

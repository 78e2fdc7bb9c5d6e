import { byName, costClasses, countFields, namesOf, tokenClasses, usageOperation } from '@tallyport/contracts';
import { z } from 'zod';
import { count } from '../count.ts';

const milliseconds = z.number().min(0);

/** One request, as a list shows it. Members that a request does not have are absent. */
export const requestSummarySchema = z.object({
  id: z.string(),
  /** The `x-request-id` of the response. Clients may choose it and use one twice. */
  requestId: z.string(),
  /** When the request ended. */
  at: z.string(),
  keyId: z.string(),
  /** Absent if it is no API key of the account, such as the grant of an application. */
  keyName: z.string().optional(),
  /** The project of the key at that time. */
  projectId: z.string().optional(),
  /** The end user that the request named. */
  endUser: z.string().optional(),
  operation: usageOperation,
  /** As the client wrote it. */
  requestedModel: z.string(),
  /** Empty if the request was refused before its model was found. */
  model: z.string(),
  /** The provider that answered. */
  provider: z.string().optional(),
  /** The HTTP status of the response, or of the error that ended its stream. */
  status: z.int().optional(),
  /** The code of the error. */
  error: z.string().optional(),
  /** `done`, `refused` (before a provider was called), `client_gone`, or why it failed. */
  endReason: z.string(),
  /** What became of it: `ok`, `failed`, `failed_over`, `rescued`, `refused`, `cached` or `client_left`, and more than one if so. */
  outcomes: z.array(z.string()).optional(),
  cached: z.boolean(),
  stream: z.boolean(),
  /** The account's own provider key was used. */
  ownKey: z.boolean(),
  /** The number of calls of providers. */
  attemptCount: count,
  tokens: z.object(byName(tokenClasses, () => count)),
  ...byName(namesOf(countFields), () => count),
  /** In USD; `null` if the catalogue has no price. */
  cost: z.string().nullable(),
  durationMs: milliseconds,
  /** From the start of the request to the first content. */
  firstByteMs: milliseconds.optional(),
});

export type RequestSummary = z.infer<typeof requestSummarySchema>;

/** One call of a provider. */
const attemptSchema = z.object({
  provider: z.string(),
  /** Absent if it is that of the request: another one had its turn before. */
  model: z.string().optional(),
  /** The HTTP status of the provider; `null` if it did not respond. */
  status: z.int().nullable(),
  /** `none`, or why the attempt failed. */
  error: z.string(),
  /** From the end of planning. */
  startMs: milliseconds.optional(),
  durationMs: milliseconds,
  /** Whose provider key was used. */
  key: z.enum(['own', 'service']),
  /** Whether the request was passed on in the client's own API. */
  lane: z.enum(['native', 'translated']),
  /** What the vendor did not get as the client asked for it. */
  weakened: z.array(z.string()).optional(),
  /** Why the offer had its place in the plan; see `POST /v1/routes/explain`. */
  reason: z.string().optional(),
  /** Lower is better. */
  score: z.number().optional(),
  /** The provider's own failure in words. Failures that the request caused have none: they may quote it. */
  message: z.string().optional(),
});

const factorSchema = z.object({
  value: z.number(),
  /** 1 for the best offer, 2 for one that is half as good. */
  ratio: z.number(),
  weight: z.number(),
});

/** An offer of the plan. The score is the sum of both penalties and of each ratio times its weight. */
const plannedOfferSchema = z.object({
  /** Empty if it is true of the whole model. */
  provider: z.string(),
  /** Of a request that named several models. */
  model: z.string().optional(),
  /** Whose provider key was to be used. */
  key: z.enum(['own', 'service']),
  /** Why it had its place, or why it was left out; see `POST /v1/routes/explain`. */
  reason: z.string(),
  /** What exactly left it out. */
  detail: z.string().optional(),
  /** Lower is better. Absent if the offer was left out. */
  score: z.number().optional(),
  factors: z.record(z.string(), factorSchema).optional(),
  uptimePenalty: z.number().optional(),
  priorityPenalty: z.number().optional(),
});

const planSchema = z.object({
  /** At most this many offers were to be tried. */
  mostAttempts: count,
  /** In the order in which they were to be tried, then those that were left out. */
  offers: z.array(plannedOfferSchema),
  /** How many more offers there were. */
  more: count.optional(),
});

/** A part of the cost. `count` and `price` are absent for what the vendor reported as a total. */
const costSchema = z.object({
  class: z.enum(costClasses),
  /** Tokens, images, characters or seconds. */
  count: count.optional(),
  /** The price of one, in USD, that was in force. */
  price: z.string().optional(),
  cost: z.string(),
});

/** Everything that is known about one request. It has no content of the request or the response. */
export const requestRecordSchema = requestSummarySchema.extend({
  attempts: z.array(attemptSchema),
  /** Which offers there were, with their scores at that time. Absent for a single offer, a cached answer, and in older records. */
  plan: planSchema.optional(),
  costs: z.array(costSchema),
  /** What tokens from the provider's prompt cache would have cost more as ordinary input. */
  promptCacheSavings: z.string(),
  /**
   * The named route that the request asked for, of the account or of the operator, its model as the route names it, and why
   * that had its place.
   */
  route: z
    .object({ name: z.string(), owner: z.string(), target: z.string().optional(), reason: z.string() })
    .optional(),
  /** The version of the catalogue that the prices are from. */
  priceVersion: z.string(),
  /** The service tier that the request asks, such as `priority` or `auto`. */
  tierAsked: z.string().optional(),
  /** The service tier that the provider billed; absent for the standard one. */
  tier: z.string().optional(),
  /** Whether the provider reported the usage, or it is an estimate. */
  source: z.string(),
  flags: z.array(z.string()),
  /** The time for reading, checking and planning. */
  planMs: milliseconds.optional(),
  /** How the cache served the request: `hit`, `coalesced`, `miss` or `bypass`. */
  cache: z.string().optional(),
  /** The limit of tokens per minute closest to its end, and what it had left with this request. */
  tokenLimit: z.object({ perMinute: count, left: count }).optional(),
  /** What guardrails found in the request and the response. */
  guardrails: z.array(z.object({ rule: z.string(), action: z.string(), count })),
  /** Refusals of the account without a record of their own, since the one recorded before this. */
  unrecorded: count.optional(),
});

export type RequestRecord = z.infer<typeof requestRecordSchema>;

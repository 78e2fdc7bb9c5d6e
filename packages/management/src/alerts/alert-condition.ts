import { z } from 'zod';

const id = z.string().min(1).max(200);
const wholeNumber = (least: number, most: number) =>
  z.int(`must be a whole number from ${least} to ${most}`).min(least).max(most);
const percent = z.number('must be a number').gt(0, 'must be more than 0').max(100, 'must be at most 100');

/** How many hours count, including the current one. */
const hours = wholeNumber(1, 168).default(1);

/** The fewest calls or requests from which a share is judged: with less, one failure would be an alert. */
const atLeast = wholeNumber(1, 1_000_000).default(10);

/** Whose budget or cost is watched: the account, or without an id each project or key. */
const watched = { scope: z.enum(['account', 'project', 'key']).default('account'), id: id.optional() };

export const alertConditionSchema = z.discriminatedUnion('type', [
  /** The account, a project or a key, or without an id each project or key, has spent this part of its budget. */
  z.strictObject({ type: z.literal('budget'), ...watched, percent: wholeNumber(1, 100) }),
  /** Calls of a provider, or without one of each provider, succeed less often. Calls of all accounts count. */
  z.strictObject({ type: z.literal('provider_uptime'), provider: id.optional(), below: percent, hours, atLeast }),
  /** More of the account's requests fail. Refused requests and callers that left do not count. */
  z.strictObject({
    type: z.literal('error_rate'),
    above: z.number('must be a number').min(0, 'must be at least 0').lt(100, 'must be less than 100'),
    model: id.optional(),
    key: id.optional(),
    /** Judges each key or each model, and not all of these requests together. */
    per: z.enum(['key', 'model']).optional(),
    hours,
    atLeast,
  }),
  /** A key, or without one each key, expires within these days. */
  z.strictObject({ type: z.literal('key_expiry'), key: id.optional(), days: wholeNumber(1, 365) }),
  /** The newest comparison with the bill of a vendor, or without one of each vendor, differs by more. */
  z.strictObject({
    type: z.literal('vendor_difference'),
    vendor: id.optional(),
    above: z.number('must be a number').min(0, 'must be at least 0').lt(100, 'must be less than 100'),
  }),
  /** 95 % of the requests are answered faster than this, in milliseconds: those for a model, or without one all. */
  z.strictObject({
    type: z.literal('latency'),
    model: id.optional(),
    above: wholeNumber(1, 3_600_000),
    hours,
    atLeast,
  }),
  /** Since midnight UTC, the account, a project or a key, or without an id each project or key, has cost more USD. */
  z.strictObject({
    type: z.literal('daily_cost'),
    ...watched,
    above: z.number('must be a number').gt(0, 'must be more than 0').max(1_000_000_000, 'must be at most 1000000000'),
  }),
]);

/** The kinds of alerts that this version knows. A database may have others, of a newer version. */
export const alertConditionTypes = alertConditionSchema.options.map(({ shape }) => shape.type.value);

export type AlertCondition = z.infer<typeof alertConditionSchema>;

export type ConditionOf<Type extends AlertCondition['type']> = Extract<AlertCondition, { type: Type }>;

import { z } from 'zod';

/** Classes of tokens that do not overlap: every token is in one of them, and is paid for once. */
export const tokenClasses = ['input', 'cacheRead', 'cacheWrite', 'output', 'reasoning', 'imageIn', 'imageOut'] as const;
export type TokenClass = (typeof tokenClasses)[number];
export type Tokens = Readonly<Record<TokenClass, number>>;

/** What is paid for: tokens by their class, images, the request as such, or what the vendor says that it all cost. */
export const costClasses = [...tokenClasses, 'images', 'request', 'vendor'] as const;
export type CostClass = (typeof costClasses)[number];

export const usageOperations = ['chat', 'image_generation', 'image_edit'] as const;
export type UsageOperation = (typeof usageOperations)[number];

/** `reported` by the provider, `estimated` by us where it told nothing, or `none` where nothing was used. */
export const usageSources = ['reported', 'estimated', 'none'] as const;

/** `unpriced`: the catalogue lacks a price. `adjusted`: the provider's figures could not be true and were bounded. */
export const usageFlags = ['unpriced', 'adjusted'] as const;
export type UsageFlag = (typeof usageFlags)[number];

/** Postgres takes no NUL in text: one such record must not keep its batch from being written. */
const text = z
  .string()
  .max(500)
  .overwrite((value) => value.replaceAll('\0', ''));
const count = z.int().min(0).max(1_000_000_000_000);
const milliseconds = z.number().min(0).max(1_000_000_000);
/** Dollars as decimal text, up to 15 digits behind the point. */
const money = z.string().regex(/^\d{1,12}(\.\d{1,15})?$/);

const members = <Name extends string, Schema>(names: readonly Name[], schema: Schema) =>
  Object.fromEntries(names.map((name) => [name, schema])) as Record<Name, Schema>;

// Other versions may know other classes and flags: what we do not know is left out, what they did not know is nothing.
const tokensSchema = z.object(members(tokenClasses, count.default(0)));
const costsSchema = z.object(members(costClasses, money.optional()));
const isUsageFlag = (text: string): text is UsageFlag => usageFlags.some((flag) => flag === text);

const attemptSchema = z.object({
  provider: text,
  status: z.number().nullable(),
  error: text,
  ms: milliseconds,
  /** The account's own key went with it. */
  ownKey: z.literal(true).optional(),
});

/**
 * One logical request and what it used, whatever it took to answer it. No content of requests or answers is in it. `id`
 * is ours and unique: clients choose `requestId` themselves and may use one twice.
 */
export const usageRecordSchema = z.object({
  id: text,
  requestId: text,
  /** When it ended, by the clock of who served it: the month and the hour it belongs to follow from this alone. */
  at: z.iso.datetime(),
  accountId: text,
  keyId: text,
  operation: z.enum(usageOperations),
  requestedModel: text,
  model: text,
  /** Who served; absent when nobody did. */
  provider: text.optional(),
  attempts: z.array(attemptSchema).max(100),
  tokens: tokensSchema,
  images: count,
  /** `null`: it is not known, see `flags`. */
  cost: money.nullable(),
  costs: costsSchema,
  /** The catalogue's version whose prices these are. */
  priceVersion: text,
  source: z.enum(usageSources),
  flags: z.array(text).transform((flags) => flags.filter(isUsageFlag)),
  /** Paid by the account itself, with its own key at the provider. */
  ownKey: z.boolean(),
  cached: z.boolean(),
  stream: z.boolean(),
  durationMs: milliseconds,
  firstByteMs: milliseconds.optional(),
  endReason: text,
});

export type UsageRecord = z.infer<typeof usageRecordSchema>;

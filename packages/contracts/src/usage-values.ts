import { z } from 'zod';

/** NUL is removed: Postgres rejects it in text, and one such record must not block its whole batch. */
export const usageText = z
  .string()
  .max(500)
  .overwrite((value) => (value.includes('\0') ? value.replaceAll('\0', '') : value));
export const usageCount = z.int().min(0).max(1_000_000_000_000);
export const usageMilliseconds = z.number().min(0).max(1_000_000_000);
/** Dollars as decimal text, with up to 15 decimal places. */
export const usageMoney = z.string().regex(/^\d{1,12}(\.\d{1,15})?$/);

/** `reported` by the provider, `estimated` by us when it reported nothing, or `none` when nothing was used. */
export const usageSource = z.enum(['reported', 'estimated', 'none']);

/** `unpriced`: the catalogue lacks a price. `adjusted`: the provider's figures were implausible and were bounded. */
const usageFlag = z.enum(['unpriced', 'adjusted']);
export type UsageFlag = z.infer<typeof usageFlag>;

const isUsageFlag = (text: string): text is UsageFlag => usageFlag.options.some((flag) => flag === text);

/** Another version may know other flags: unknown ones are dropped. */
export const usageFlags = z.array(usageText).transform((flags) => flags.filter(isUsageFlag));

/** What guardrails did: names of rules and counts, never the text. */
export const usageFindings = z.array(z.object({ rule: usageText, action: usageText, count: usageCount })).max(200);

export const usageAttempts = z
  .array(
    z.object({
      provider: usageText,
      status: z.number().nullable(),
      error: usageText,
      ms: usageMilliseconds,
      /** The attempt used the account's own provider key. */
      ownKey: z.literal(true).optional(),
      /** The id of that key. */
      ownKeyId: usageText.optional(),
      /** From the end of planning to the start of the attempt. */
      startMs: usageMilliseconds.optional(),
      /** Why the offer had its place in the plan, and its score. */
      reason: usageText.optional(),
      score: z.number().optional(),
      /** The request was passed on in the client's own API. */
      native: z.literal(true).optional(),
    }),
  )
  .max(100);

/** What a record says about a request that no sum needs. It has no content of requests, and a few hundred bytes. */
export const usageDetails = z.object({
  /** The time for reading, checking and planning. */
  planMs: usageMilliseconds.optional(),
  /** How the cache served the request: `hit`, `coalesced`, `miss` or `bypass`. */
  cache: usageText.optional(),
  /** The limit of tokens per minute closest to its end, and what it had left with this request. */
  tokenLimit: usageCount.optional(),
  tokensLeft: usageCount.optional(),
  /** Of a refusal: how many of the account were left out since the one recorded before it. */
  unrecorded: usageCount.optional(),
});

export type UsageDetails = z.infer<typeof usageDetails>;

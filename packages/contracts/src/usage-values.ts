import { z } from 'zod';
import { longestPlanText } from './usage-plan.ts';

export const longestUsageText = 500;

/** A text of others, as consumers of the journal, the database and answers accept it. */
export const boundedText = (text: string, most = longestUsageText): string => text.slice(0, most).toWellFormed();

/** Records keep the names of service tiers, and vendors and clients send any text. */
export const longestTierName = 40;

/** NUL is removed: Postgres rejects it in text, and one such record must not block its whole batch. */
export const usageText = z
  .string()
  .max(longestUsageText)
  .overwrite((value) => (value.includes('\0') ? value.replaceAll('\0', '') : value));
export const usageCount = z.int().min(0).max(1_000_000_000_000);
export const usageMilliseconds = z.number().min(0).max(1_000_000_000);
/** Dollars as decimal text, with up to 15 decimal places. */
export const usageMoney = z.string().regex(/^\d{1,12}(\.\d{1,15})?$/);

/** `reported` by the provider, `estimated` by us when it reported nothing, or `none` when nothing was used. */
export const usageSource = z.enum(['reported', 'estimated', 'none']);

/**
 * `unpriced`: the catalogue lacks a price, and the cost is unknown. `unpriced_class`: the provider counted something that
 * has no price of its own, so the cost may be too low. `adjusted`: the provider's figures were implausible and were
 * bounded. `off_catalogue`: the provider reports a cost that differs from the catalogue's by more than a twentieth.
 */
const usageFlag = z.enum(['unpriced', 'unpriced_class', 'adjusted', 'off_catalogue']);
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
      /** What the vendor did not get as the client asked for it. */
      weakened: z.array(usageText).max(20).optional(),
      /** The provider's own failure in words. Failures that the request caused have none: they may quote it. */
      message: usageText.optional(),
      /** Absent if it is that of the record: another one had its turn before. */
      model: usageText.optional(),
    }),
  )
  .max(100);

export const mostUnpricedClasses = 100;

/** What a record says about a request that no sum needs. It has no content of requests and at most a few kilobytes. */
export const usageDetails = z.object({
  /** The time for reading, checking and planning. */
  planMs: usageMilliseconds.optional(),
  /** How the cache served the request: `hit`, `coalesced`, `miss` or `bypass`. */
  cache: usageText.optional(),
  /** The limit of tokens per minute closest to its end, and what it had left with this request. */
  tokenLimit: usageCount.optional(),
  tokensLeft: usageCount.optional(),
  /**
   * Whose budget per end user paid: one of its `own`, that which further end users have in common (`shared`), or that of
   * all requests that name no end user (`none`).
   */
  endUserBudget: z.enum(['own', 'shared', 'none']).optional(),
  /** Of a refusal: how many of the account were left out since the one recorded before it. */
  unrecorded: usageCount.optional(),
  /** Names of what the provider counted and this version does not know, or has no price for. */
  unpricedClasses: z.array(usageText).max(mostUnpricedClasses).optional(),
  /** What the catalogue says about a cost that the provider reported, if it has a price for all of it. */
  catalogueCost: usageMoney.optional(),
  /** Where the model ran, in the provider's words. */
  geo: usageText.optional(),
  /** The named route that the request asked for, the model that answered as the route names it, and why it had its place. */
  route: z.object({ name: usageText, owner: usageText, target: usageText.optional(), reason: usageText }).optional(),
  /** The offers of the request, tried and not, if there was more than one. See `textOfPlan`. */
  offers: z.string().max(longestPlanText).optional(),
});

export type UsageDetails = z.infer<typeof usageDetails>;

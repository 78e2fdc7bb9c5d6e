import { randomUUID } from 'node:crypto';
import {
  noTokens,
  type Offer,
  type RequestHead,
  type UsageFlag,
  type UsageOperation,
  type UsageRecord,
} from '@switchyard/contracts';
import {
  type AttemptRecord,
  type CountedTokens,
  type ImageOutcome,
  isAbsurdCost,
  moneyText,
  type Outcome,
  type Plan,
  price,
  type Price,
  tokensOfChat,
  tokensOfImages,
} from '@switchyard/dispatch';

/** What a request is, before anything came of it. */
export interface Asked {
  head: RequestHead;
  operation: UsageOperation;
  plan: Plan;
  stream: boolean;
}

/** What became of it. */
export interface Ended {
  attempts: readonly AttemptRecord[];
  /** Absent when nobody served. */
  served: Offer | undefined;
  ownKey: boolean;
  /** Absent when nothing was used. */
  counted: CountedTokens | undefined;
  estimated: boolean;
  images: number;
  /** Of them, those that no told tokens pay for. */
  imagesToPay: number;
  /** USD, as the vendor tells it. */
  vendorCost: number | undefined;
  durationMs: number;
  firstContentMs: number | undefined;
  endReason: string;
}

export const endOfChat = (outcome: Outcome): Ended => {
  const { attempts, served, ownKey, usage, usageEstimated, images, durationMs, firstContentMs, endReason } = outcome;
  return {
    attempts,
    served,
    ownKey,
    counted: usage && tokensOfChat(usage),
    estimated: usageEstimated,
    images,
    // What a vendor counts in a chat has its images in it.
    imagesToPay: usage === undefined || usageEstimated ? images : 0,
    vendorCost: usage?.cost,
    durationMs,
    firstContentMs,
    endReason,
  };
};

export const endOfImages = (outcome: ImageOutcome): Ended => {
  const { attempts, served, usage, images, durationMs, endReason } = outcome;
  return {
    attempts,
    served,
    ownKey: served !== undefined && attempts.at(-1)?.own_key === true,
    counted: usage && tokensOfImages(usage),
    estimated: false,
    images: images.length,
    imagesToPay: images.length,
    vendorCost: usage?.cost,
    durationMs,
    firstContentMs: served && durationMs,
    endReason,
  };
};

export interface Circumstances {
  /** Of the catalogue whose prices count. */
  priceVersion: string;
  now: Date;
}

export interface Accounted {
  record: UsageRecord;
  price: Price | undefined;
}

/** Who asked, what was used, what it cost. `undefined` where nobody was asked: what costs nothing leaves no trace. */
export const accountFor = (asked: Asked, ended: Ended, circumstances: Circumstances): Accounted | undefined =>
  ended.attempts.length === 0 ? undefined : recordOf(asked, ended, circumstances);

function recordOf(asked: Asked, ended: Ended, { priceVersion, now }: Circumstances): Accounted | undefined {
  const { head, operation, plan, stream } = asked;
  const { principal } = head;
  if (principal === undefined) return undefined;
  const { served, counted, images, imagesToPay, vendorCost } = ended;
  const tokens = counted?.tokens ?? noTokens;
  const bill = served && price(served, { tokens, images: imagesToPay, vendorCost });
  // One literal, and what may be absent afterwards: spreading parts together costs more than all the rest of this.
  const record: UsageRecord = {
    id: `use_${randomUUID().replaceAll('-', '')}`,
    requestId: head.requestId,
    at: now.toISOString(),
    accountId: principal.accountId,
    keyId: principal.keyId,
    operation,
    stream,
    priceVersion,
    tokens,
    images,
    requestedModel: plan.requestedModel,
    model: plan.model.id,
    attempts: ended.attempts.map(attemptOf),
    cost: bill === undefined ? '0' : bill.cost === undefined ? null : moneyText(bill.cost),
    costs: costsOf(bill),
    source: sourceOf(ended),
    flags: flagsOf(ended, bill),
    ownKey: ended.ownKey,
    cached: false,
    durationMs: ended.durationMs,
    endReason: ended.endReason,
  };
  if (served !== undefined) record.provider = served.providerId;
  if (ended.firstContentMs !== undefined) record.firstByteMs = ended.firstContentMs;
  return { record, price: bill };
}

const nothingDelivered: Ended = {
  attempts: [],
  served: undefined,
  ownKey: false,
  counted: undefined,
  estimated: false,
  images: 0,
  imagesToPay: 0,
  vendorCost: undefined,
  durationMs: 0,
  firstContentMs: undefined,
  endReason: 'done',
};

/** Answered with what somebody else paid for. */
export function recordOfHit(asked: Asked, circumstances: Circumstances): UsageRecord | undefined {
  const record = recordOf(asked, nothingDelivered, circumstances)?.record;
  return record && { ...record, cached: true };
}

function attemptOf({ provider, status_code, error_type, duration_ms, own_key }: AttemptRecord) {
  const attempt = { provider, status: status_code, error: error_type, ms: duration_ms };
  return own_key ? { ...attempt, ownKey: own_key } : attempt;
}

function costsOf(bill: Price | undefined): UsageRecord['costs'] {
  const costs: UsageRecord['costs'] = {};
  for (const [name, cost] of bill?.costs ?? []) costs[name] = moneyText(cost);
  return costs;
}

function sourceOf({ served, counted, estimated }: Ended): UsageRecord['source'] {
  if (served === undefined || (counted === undefined && !estimated)) return 'none';
  return estimated ? 'estimated' : 'reported';
}

function flagsOf({ counted, vendorCost }: Ended, bill: Price | undefined): UsageFlag[] {
  const flags: UsageFlag[] = [];
  if (bill !== undefined && bill.cost === undefined) flags.push('unpriced');
  if (counted?.adjusted === true || isAbsurdCost({ vendorCost })) flags.push('adjusted');
  return flags;
}

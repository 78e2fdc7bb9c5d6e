import { randomUUID } from 'node:crypto';
import {
  noTokens,
  type RequestHead,
  type UsageFlag,
  type UsageOperation,
  type UsageRecord,
} from '@switchyard/contracts';
import type { AttemptRecord, Plan } from '@switchyard/dispatch';
import { isAbsurdCost, moneyText, price, type Price } from '@switchyard/pricing';
import { nothingUsed, type Settlement } from './settlement.ts';

/** What the record says of a request besides what it came to. */
export interface MeteredRequest {
  head: RequestHead;
  operation: UsageOperation;
  plan: Plan;
  stream: boolean;
}

export interface Circumstances {
  /** Of the catalogue whose prices count. */
  priceVersion: string;
  now: Date;
}

export interface AccountedUse {
  record: UsageRecord;
  price: Price | undefined;
}

/** The record and its price; `undefined` where no provider was called: what costs nothing leaves no record. */
export const accountFor = (
  request: MeteredRequest,
  settlement: Settlement,
  circumstances: Circumstances,
): AccountedUse | undefined =>
  settlement.attempts.length === 0 ? undefined : recordOf(request, settlement, circumstances);

function recordOf(
  request: MeteredRequest,
  settlement: Settlement,
  { priceVersion, now }: Circumstances,
): AccountedUse | undefined {
  const { head, operation, plan, stream } = request;
  const { principal } = head;
  if (principal === undefined) return undefined;
  const { served, counted, images, imagesToPay, vendorCost } = settlement;
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
    attempts: settlement.attempts.map(attemptOf),
    cost: bill === undefined ? '0' : bill.cost === undefined ? null : moneyText(bill.cost),
    costs: costsOf(bill),
    source: sourceOf(settlement),
    flags: flagsOf(settlement, bill),
    ownKey: settlement.ownKey,
    cached: false,
    durationMs: settlement.durationMs,
    endReason: settlement.endReason,
  };
  if (served !== undefined) record.provider = served.providerId;
  if (settlement.firstContentMs !== undefined) record.firstByteMs = settlement.firstContentMs;
  return { record, price: bill };
}

/** Answered from the cache: another request paid for it. */
export function recordOfHit(request: MeteredRequest, circumstances: Circumstances): UsageRecord | undefined {
  const record = recordOf(request, nothingUsed, circumstances)?.record;
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

function sourceOf({ served, counted, estimated }: Settlement): UsageRecord['source'] {
  if (served === undefined || (counted === undefined && !estimated)) return 'none';
  return estimated ? 'estimated' : 'reported';
}

function flagsOf({ counted, vendorCost }: Settlement, bill: Price | undefined): UsageFlag[] {
  const flags: UsageFlag[] = [];
  if (bill !== undefined && bill.cost === undefined) flags.push('unpriced');
  if (counted?.adjusted === true || isAbsurdCost({ vendorCost })) flags.push('adjusted');
  return flags;
}

import { RequestDismissed } from '@tallyport/bus';
import {
  newRecordId,
  noTokens,
  type RequestHead,
  type UsageDetails,
  type UsageFlag,
  type UsageOperation,
  type UsageRecord,
} from '@tallyport/contracts';
import type { AttemptRecord, AttemptRoute, Plan } from '@tallyport/dispatch';
import { isAbsurdCost, moneyText, price, type Price } from '@tallyport/pricing';
import { nothingUsed, type Settlement } from './settlement.ts';

/** What a usage record says about a request, apart from its settlement. */
export interface MeteredRequest {
  head: RequestHead;
  operation: UsageOperation;
  plan: Plan;
  stream: boolean;
  /** The time for reading, checking and planning. */
  planMs: number;
  cache: CacheUse;
  /** The id of its record, if something else has it as well. */
  recordId?: string | undefined;
}

/** How the cache served a request. */
export type CacheUse = 'hit' | 'coalesced' | 'miss' | 'bypass';

export interface WaitingRequest extends MeteredRequest {
  /** Aborts when the caller leaves, also while it waits for its budget. */
  signal: AbortSignal;
}

interface Circumstances {
  /** The version of the catalogue whose prices apply. */
  priceVersion: string;
  now: Date;
  /** The `x-ratelimit-*-tokens` headers of the response; absent without a limit. */
  limitHeaders?: Readonly<Record<string, string>> | undefined;
}

export interface AccountedUse {
  record: UsageRecord;
  price: Price | undefined;
}

/**
 * Makes the record of a request and its price; `undefined` if no provider was called, because free requests leave no
 * record. A request that another replica answers leaves none either, unless a provider bills it here too.
 */
export function accountFor(
  request: WaitingRequest,
  settlement: Settlement,
  circumstances: Circumstances,
): AccountedUse | undefined {
  const { attempts, served } = settlement;
  if (attempts.length === 0) return undefined;
  if (served === undefined && request.signal.reason instanceof RequestDismissed) return undefined;
  return recordOf(request, settlement, circumstances);
}

function recordOf(
  request: MeteredRequest,
  settlement: Settlement,
  { priceVersion, now, limitHeaders }: Circumstances,
): AccountedUse | undefined {
  const { head, operation, plan, stream } = request;
  const { principal } = head;
  if (principal === undefined) return undefined;
  const { served, counted, images, imagesToPay, vendorCost, characters, audioSeconds } = settlement;
  const tokens = counted?.tokens ?? noTokens;
  const bill = served && price(served, { tokens, images: imagesToPay, characters, audioSeconds, vendorCost });
  // One literal, plus the optional members: spreading several parts costs more than everything else here.
  const record: UsageRecord = {
    id: request.recordId ?? newRecordId(),
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
    attempts: attemptsOf(settlement),
    cost: bill === undefined ? '0' : bill.cost === undefined ? null : moneyText(bill.cost),
    costs: costsOf(bill),
    source: sourceOf(settlement),
    flags: flagsOf(settlement, bill),
    ownKey: settlement.ownKey,
    cached: false,
    durationMs: settlement.durationMs,
    endReason: settlement.endReason,
    status: settlement.error?.status ?? 200,
    details: detailsOf(request, limitHeaders),
  };
  if (principal.projectId !== undefined) record.projectId = principal.projectId;
  addOptionalMembers(record, settlement, bill);
  return { record, price: bill };
}

function addOptionalMembers(record: UsageRecord, settlement: Settlement, bill: Price | undefined): void {
  const { served, characters, audioSeconds, firstContentMs, findings, error } = settlement;
  if (characters > 0) record.characters = characters;
  if (audioSeconds > 0) record.audioSeconds = audioSeconds;
  if (served !== undefined) record.provider = served.providerId;
  if (firstContentMs !== undefined) record.firstByteMs = firstContentMs;
  if (findings !== undefined && findings.length > 0) record.guardrails = [...findings];
  const saved = bill?.promptCacheSavings ?? 0n;
  if (saved > 0n) record.promptCacheSavings = moneyText(saved);
  if (error !== undefined) record.error = error.code;
}

/** The record of an answer from the cache, which another request paid for. */
export function recordOfHit(request: MeteredRequest, circumstances: Circumstances): UsageRecord | undefined {
  const findings = request.head.findings ?? [];
  const record = recordOf(request, { ...nothingUsed, findings }, circumstances)?.record;
  return record && { ...record, cached: true };
}

const attemptsOf = ({ attempts, routes }: Settlement): UsageRecord['attempts'] =>
  attempts.map((attempt, at) => attemptOf(attempt, routes[at]));

function attemptOf(
  { provider, status_code, error_type, duration_ms, own_key }: AttemptRecord,
  route: AttemptRoute | undefined,
): UsageRecord['attempts'][number] {
  const attempt: UsageRecord['attempts'][number] = {
    provider,
    status: status_code,
    error: error_type,
    ms: duration_ms,
  };
  if (own_key) attempt.ownKey = own_key;
  if (route === undefined) return attempt;
  attempt.startMs = route.startMs;
  attempt.reason = route.reason;
  attempt.score = rounded(route.score);
  if (route.native) attempt.native = true;
  if (route.ownKeyId !== undefined) attempt.ownKeyId = route.ownKeyId;
  return attempt;
}

/** Scores are compared by people, who need no more digits. */
const rounded = (score: number): number => Math.round(score * 1_000) / 1_000;

function detailsOf({ planMs, cache }: MeteredRequest, limitHeaders: Circumstances['limitHeaders']): UsageDetails {
  const details: UsageDetails = { planMs, cache };
  const limit = limitHeaders?.['x-ratelimit-limit-tokens'];
  if (limit === undefined) return details;
  details.tokenLimit = Number(limit);
  details.tokensLeft = Number(limitHeaders?.['x-ratelimit-remaining-tokens']);
  return details;
}

function costsOf(bill: Price | undefined): UsageRecord['costs'] {
  const costs: UsageRecord['costs'] = {};
  for (const { of, cost } of bill?.costs ?? []) costs[of] = moneyText(cost);
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

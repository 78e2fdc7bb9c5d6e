import { type IncomingExchange, RequestDismissed } from '@tallyport/bus';
import {
  mostUnpricedClasses,
  newRecordId,
  boundedText,
  noTokens,
  type RequestHead,
  textOfPlan,
  type UsageDetails,
  type UsageFlag,
  type UsageOperation,
  type UsageRecord,
} from '@tallyport/contracts';
import type { AttemptRecord, AttemptRoute, Plan } from '@tallyport/dispatch';
import { isAbsurdCost, isOffCatalogue, moneyText, price, type Price } from '@tallyport/pricing';
import { threeDecimals } from './three-decimals.ts';
import { planOf } from './plan-of-record.ts';
import { nothingUsed, type Settlement } from './settlement.ts';

/** What a usage record says about a request, apart from its settlement. */
export interface MeteredRequest {
  head: RequestHead;
  operation: UsageOperation;
  endUser?: string | undefined;
  plan: Plan;
  stream: boolean;
  /** The time for reading, checking and planning. */
  planMs: number;
  cache: CacheUse;
  /** The service tier that the request asks. */
  tierAsked?: string | undefined;
  /** The id of its record, if something else has it as well. */
  recordId?: string | undefined;
  /** Its time, if it may be written again: the record and the budgets are those of then. */
  recordAt?: string | undefined;
}

/** How the cache served a request. */
export type CacheUse = 'hit' | 'coalesced' | 'miss' | 'bypass';

export interface WaitingRequest extends MeteredRequest {
  /** Aborts when the caller leaves, also while it waits for its budget. */
  signal: AbortSignal;
  stillWanted?: IncomingExchange['stillWanted'] | undefined;
  mayRecord?: IncomingExchange['mayRecord'] | undefined;
  /** A vendor has done the work already: neither limits nor budgets refuse it. */
  isOwed?: boolean | undefined;
  /** It is refused at once if running requests hold what is left of its budget. */
  neverWaits?: true;
}

interface Circumstances {
  now: Date;
  /** The `x-ratelimit-*-tokens` headers of the response; absent without a limit. */
  limitHeaders?: Readonly<Record<string, string>> | undefined;
  /** The end user whose budget counted it. */
  endUserBudget?: UsageDetails['endUserBudget'];
}

export interface AccountedUse {
  record: UsageRecord;
  price: Price | undefined;
}

/**
 * Makes the record of a request and its price; `undefined` if no provider was called, because free requests leave no
 * record. A request that another replica or a batch answers leaves none either, unless a provider bills it here too.
 */
export function accountFor(
  request: WaitingRequest,
  settlement: Settlement,
  circumstances: Circumstances,
): AccountedUse | undefined {
  const { attempts, served, error } = settlement;
  if (attempts.length === 0) return undefined;
  const isDismissed = request.signal.reason instanceof RequestDismissed || error instanceof RequestDismissed;
  if (served === undefined && isDismissed) return undefined;
  return recordOf(request, settlement, circumstances);
}

function recordOf(
  request: MeteredRequest,
  settlement: Settlement,
  { now, limitHeaders, endUserBudget }: Circumstances,
): AccountedUse | undefined {
  const { head, operation, stream } = request;
  const { principal } = head;
  const { plan = request.plan } = settlement;
  if (principal === undefined) return undefined;
  const { served, counted, images, imagesToPay, vendorCost, characters, audioSeconds } = settlement;
  const tokens = counted?.tokens ?? noTokens;
  const bill =
    served && price(served, { ...counted, tokens, images: imagesToPay, characters, audioSeconds, vendorCost });
  // One literal, plus the optional members: spreading several parts costs more than everything else here.
  const record: UsageRecord = {
    id: request.recordId ?? newRecordId(),
    requestId: head.requestId,
    at: now.toISOString(),
    accountId: principal.accountId,
    keyId: principal.keyId,
    operation,
    stream,
    priceVersion: plan.priceVersion,
    tokens,
    images,
    requestedModel: request.plan.requestedModel,
    model: plan.model.id,
    attempts: attemptsOf(settlement, plan.model.id),
    cost: bill === undefined ? '0' : bill.cost === undefined ? null : moneyText(bill.cost),
    costs: costsOf(bill),
    source: sourceOf(settlement),
    flags: flagsOf(settlement, bill),
    ownKey: settlement.ownKey,
    cached: false,
    durationMs: settlement.durationMs,
    endReason: settlement.endReason,
    status: settlement.error?.status ?? 200,
    details: detailsOf(request, bill, { settlement, limitHeaders, endUserBudget }),
  };
  addAsked(record, request);
  addRoute(record, plan);
  addOptionalMembers(record, settlement, bill);
  return { record, price: bill };
}

function addAsked(record: UsageRecord, { head, endUser, tierAsked }: MeteredRequest): void {
  const projectId = head.principal?.projectId;
  if (projectId !== undefined) record.projectId = projectId;
  if (endUser !== undefined) record.endUser = endUser;
  if (tierAsked !== undefined) record.tierAsked = tierAsked;
}

function addOptionalMembers(record: UsageRecord, settlement: Settlement, bill: Price | undefined): void {
  const { served, firstContentMs, findings, error } = settlement;
  addCounts(record, settlement);
  if (served !== undefined) record.provider = served.providerId;
  if (firstContentMs !== undefined) record.firstByteMs = firstContentMs;
  if (findings !== undefined && findings.length > 0) record.guardrails = [...findings];
  addPromptCache(record, settlement, bill);
  if (error !== undefined) record.error = error.code;
}

function addCounts(record: UsageRecord, { characters, audioSeconds, counted }: Settlement): void {
  if (characters > 0) record.characters = characters;
  if (audioSeconds > 0) record.audioSeconds = audioSeconds;
  if (counted?.tier !== undefined) record.tier = counted.tier;
  if (counted?.searchUnits !== undefined) record.searchUnits = counted.searchUnits;
  if (counted?.tools !== undefined) Object.assign(record, counted.tools);
}

function addPromptCache(record: UsageRecord, { cacheableTokens }: Settlement, bill: Price | undefined): void {
  const { promptCacheSavings: saved, promptCacheSurcharge: surcharge } = bill ?? noCache;
  if (saved > 0n) record.promptCacheSavings = moneyText(saved);
  if (surcharge > 0n) record.promptCacheSurcharge = moneyText(surcharge);
  if (cacheableTokens > 0) record.cacheableTokens = cacheableTokens;
}

const noCache = { promptCacheSavings: 0n, promptCacheSurcharge: 0n };

/** The record of an answer from the cache, which another request paid for. */
export function recordOfHit(request: MeteredRequest, circumstances: Circumstances): UsageRecord | undefined {
  const findings = request.head.findings ?? [];
  const record = recordOf(request, { ...nothingUsed, findings }, circumstances)?.record;
  return record && { ...record, cached: true };
}

const attemptsOf = ({ attempts, routes }: Settlement, model: string): UsageRecord['attempts'] =>
  attempts.map((attempt, at) => attemptOf(attempt, routes[at], model));

function attemptOf(
  { provider, model, status_code, error_type, duration_ms, own_key }: AttemptRecord,
  route: AttemptRoute | undefined,
  modelOfRecord: string,
): UsageRecord['attempts'][number] {
  const attempt: UsageRecord['attempts'][number] = {
    provider,
    status: status_code,
    error: error_type,
    ms: duration_ms,
  };
  if (own_key) attempt.ownKey = own_key;
  if (model !== modelOfRecord) attempt.model = model;
  if (route === undefined) return attempt;
  attempt.startMs = route.startMs;
  attempt.reason = route.reason;
  attempt.score = threeDecimals(route.score);
  if (route.native) attempt.native = true;
  if (route.weakened !== undefined) attempt.weakened = route.weakened.map(boundedText);
  if (route.ownKeyId !== undefined) attempt.ownKeyId = route.ownKeyId;
  if (route.message !== undefined) attempt.message = boundedText(route.message);
  return attempt;
}

/** Longer than the name of any place. */
const mostPlaceLength = 100;

function detailsOf(
  { planMs, cache, plan }: MeteredRequest,
  bill: Price | undefined,
  {
    settlement: { attempts, counted },
    limitHeaders,
    endUserBudget,
  }: Pick<Circumstances, 'limitHeaders' | 'endUserBudget'> & { settlement: Settlement },
): UsageDetails {
  const details: UsageDetails = { planMs, cache };
  const geo = counted?.geo;
  const planned = attempts.length > 0 ? planOf(plan) : undefined;
  if (planned !== undefined) details.offers = textOfPlan(planned);
  if (geo !== undefined) details.geo = boundedText(geo, mostPlaceLength);
  if (endUserBudget !== undefined) details.endUserBudget = endUserBudget;
  if (bill !== undefined) addBill(details, bill);
  const limit = limitHeaders?.['x-ratelimit-limit-tokens'];
  if (limit === undefined) return details;
  details.tokenLimit = Number(limit);
  details.tokensLeft = Number(limitHeaders?.['x-ratelimit-remaining-tokens']);
  return details;
}

function addBill(details: UsageDetails, { unpriced, catalogueCost }: Price): void {
  if (unpriced.length > 0) details.unpricedClasses = boundedNames(unpriced);
  if (catalogueCost !== undefined) details.catalogueCost = moneyText(catalogueCost);
}

/** They are a vendor's text, and a consumer of the journal refuses a record with more or longer ones. */
const boundedNames = (names: readonly string[]): string[] =>
  [...new Set(names.map((name) => boundedText(name)))].slice(0, mostUnpricedClasses);

function addRoute({ details }: UsageRecord, { route }: Plan): void {
  if (details === undefined || route === undefined) return;
  const { name, owner, target, reason } = route;
  details.route = { name, owner, target, reason };
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
  if (bill !== undefined && bill.unpriced.length > 0) flags.push('unpriced_class');
  if (counted?.adjusted === true || isAbsurdCost({ vendorCost })) flags.push('adjusted');
  if (bill?.catalogueCost !== undefined && isOffCatalogue(bill)) flags.push('off_catalogue');
  return flags;
}

import { noTokens, textOfPlan, type UsageRecord } from '@tallyport/contracts';
import type { DemoCaller } from '../callers.ts';
import { attemptsAt, type DemoAttempts, tenths } from './attempts.ts';
import { type DemoModel, type DemoOffer, operationOf } from './offers.ts';
import { demoCost } from './price.ts';
import type { Random } from './random.ts';

interface DemoRequest {
  accountId: string;
  keyId: string;
  caller: DemoCaller;
  at: Date;
  /** The day of the request, before the day of the command. */
  daysAgo: number;
  random: Random;
}

const left = 0.008;

/** One request as the ledger records it: answered, from the cache, abandoned, failed or refused. */
export function demoRecord(request: DemoRequest): UsageRecord {
  const { caller, daysAgo, random, at } = request;
  const model = random.pick(caller.models);
  const record = blankRecord(request, model);
  const { refused } = caller;
  if (refused !== undefined && daysAgo < refused.lastDays && random.chance(refused.share)) {
    const { status, error } = refused;
    return { ...record, status, error, endReason: 'refused', durationMs: tenths(random.around(1.2)) };
  }
  const planMs = tenths(random.around(1.4));
  if (random.chance(caller.repeated)) {
    return { ...record, cached: true, durationMs: tenths(random.around(3)), details: { planMs, cache: 'hit' } };
  }
  const tried = attemptsAt(model, { daysAgo, hour: at.getUTCHours(), random });
  const { plan } = tried;
  const details = { planMs, cache: record.stream ? 'bypass' : 'miss', ...(plan && { offers: textOfPlan(plan) }) };
  if (tried.served === undefined) return failed({ ...record, details }, tried);
  return answered({ ...record, details }, { ...tried, served: tried.served }, request);
}

function blankRecord({ accountId, keyId, caller, at, random }: DemoRequest, model: DemoModel): UsageRecord {
  return {
    id: random.id('use'),
    requestId: random.id('req'),
    at: at.toISOString(),
    accountId,
    keyId,
    operation: operationOf(model),
    requestedModel: model,
    model,
    attempts: [],
    tokens: noTokens,
    images: 0,
    cost: '0',
    costs: {},
    priceVersion: 'demo',
    source: 'none',
    flags: [],
    ownKey: false,
    cached: false,
    stream: operationOf(model) === 'chat' && random.chance(caller.streamed),
    durationMs: 0,
    endReason: 'done',
    status: 200,
  };
}

function failed(record: UsageRecord, { attempts, startMs }: DemoAttempts): UsageRecord {
  const error = 'all_providers_failed';
  return { ...record, attempts, durationMs: tenths(startMs), endReason: 'error', status: 502, error };
}

function answered(
  record: UsageRecord,
  { attempts, served, startMs }: DemoAttempts & { served: DemoOffer },
  { caller, random }: DemoRequest,
): UsageRecord {
  const isAbandoned = record.stream && random.chance(left);
  const counts = countsOf(record, caller, random);
  const firstContentMs = random.around(served.firstContentMs);
  const speakingMs = served.tokensPerSecond > 0 ? (counts.output / served.tokensPerSecond) * 1_000 : 0;
  const ms = tenths(firstContentMs + speakingMs);
  const { images, ...tokens } = counts;
  const last = attempts.length - 1;
  return {
    ...record,
    ...demoCost(served, counts),
    provider: served.provider,
    attempts: attempts.map((attempt, at) => (at === last ? { ...attempt, ms } : attempt)),
    tokens: { ...noTokens, ...tokens },
    images,
    source: 'reported',
    durationMs: tenths(startMs + ms),
    ...(record.stream && { firstByteMs: tenths(startMs + firstContentMs) }),
    ...(isAbandoned && { endReason: 'client_gone', status: 499, error: 'client_closed_request' }),
  };
}

function countsOf(
  { operation }: UsageRecord,
  { promptTokens, answerTokens, vendorCached }: DemoCaller,
  random: Random,
) {
  const prompt = Math.ceil(random.around(promptTokens));
  const images = operation === 'image_generation' ? 1 : 0;
  const cacheRead = operation === 'chat' && random.chance(vendorCached) ? Math.floor(prompt * 0.8) : 0;
  const output = operation === 'chat' ? Math.ceil(random.around(answerTokens)) : 0;
  // The demo's image model is paid by the image.
  return { input: images > 0 ? 0 : prompt - cacheRead, cacheRead, output, images };
}

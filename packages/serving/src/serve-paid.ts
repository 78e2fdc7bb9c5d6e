import type { CacheMiss, CacheTerms } from './cache/index.ts';
import type { ExchangeAnswer, ExchangeHandler } from '@tallyport/bus';
import {
  costHeader,
  type GatewayError,
  recordNameOf,
  type RequestHead,
  savedHeader,
  toGatewayError,
} from '@tallyport/contracts';
import { refusalAnswer, type RefusedRequest } from '@tallyport/limits';
import { type CacheUse, nothingUsed, type Settlement } from './metering/index.ts';
import { within } from '@tallyport/service-kit';
import { type Detour, mayBeBatched } from '@tallyport/dispatch';
import { failureWithUntried } from './answer/failure-with-untried.ts';
import { jsonHeaders, servedHeaders } from './answer/headers.ts';
import { slicedAnswer } from './answer/sliced.ts';
import { unlimitedLease } from './byte-budget.ts';
import { openAnswerGuard } from './guardrails/answer-guard.ts';
import { guardedSettlement } from './guardrails/guarded-settlement.ts';
import { draftOf, type PaidAnswer, type PaidEndpoint, type PaidRequest, type RequestLife } from './paid-request.ts';
import type { PaidAttempt, ServingContext, ServingTools } from './serving-context.ts';
import { openAiAnswerForm } from './stream/api-form.ts';
import { lateSource } from './stream/late-source.ts';
import { heldSource } from './stream/held-source.ts';
import { eventSource } from './stream/event-source.ts';
import { passedOn } from './stream/passed-on.ts';
import { streamAnswer } from './stream/stream-answer.ts';
import { claimRequest, refuseIfUnwanted, unlessDismissed } from './still-wanted.ts';
import type { StreamSource } from './stream/stream-body.ts';

/**
 * Serves a request that costs money: read and plan → cache → limits and budgets → attempt → settle and record → answer.
 * On every path (success, refusal, failure, client left) the reservations are settled exactly once, and a request for
 * which a provider was called leaves exactly one record. So does a refusal, unless an account has very many of them.
 */
export const servePaid =
  (tools: ServingTools, endpoint: PaidEndpoint): ExchangeHandler =>
  async (exchange) => {
    const startedAt = performance.now();
    const draft = draftOf(exchange.head);
    const lease = endpoint.lease?.() ?? unlimitedLease;
    let context: ServingContext | undefined;
    try {
      const request = await endpoint.read(exchange, draft, lease);
      endpoint.events.planned(request.planMs);
      context = { tools, endpoint, exchange, request, draft, lease, guard: undefined, isAttempted: false, headers: {} };
      return withHeaders(await answerPlanned(context), request.headers);
    } catch (thrown) {
      lease.release();
      if (context !== undefined) throw thrown;
      const error = toGatewayError(thrown);
      const durationMs = performance.now() - startedAt;
      refuse({ tools, endpoint, exchange, draft }, { head: exchange.head, model: draft.model, durationMs }, error);
      throw error;
    } finally {
      if (context?.isAttempted !== true && !endpoint.leaseOfAnswer) lease.release();
    }
  };

function withHeaders(answer: ExchangeAnswer, headers: PaidRequest['headers']): ExchangeAnswer {
  if (headers === undefined) return answer;
  const all = { ...answer.head.headers, ...headers };
  const { warning: own } = answer.head.headers;
  // Both have one: that of the request comes first.
  if (own !== undefined && headers.warning !== undefined) all.warning = `${headers.warning}, ${own}`;
  return { ...answer, head: { ...answer.head, headers: all } };
}

/** Reports and records a refusal before a provider is called. No response waits for the record. */
function refuse(
  { tools, endpoint, exchange, draft: { endUser } }: Pick<ServingContext, 'tools' | 'endpoint' | 'exchange' | 'draft'>,
  request: Omit<RefusedRequest, 'operation' | 'endUser' | 'head'> & { head: RequestHead },
  error: GatewayError,
): void {
  endpoint.events.refused(request.head, error);
  unlessDismissed(exchange, () =>
    tools.metering.refused({ ...request, endUser, operation: endpoint.operation }, error),
  );
}

function answerPlanned(context: ServingContext): Promise<ExchangeAnswer> {
  const { tools, exchange, request, draft } = context;
  const { operation } = context.endpoint;
  const { plan, planMs } = request;
  context.guard = openAnswerGuard(tools.guardrails, exchange, operation);
  const ofRequest = context.guard === undefined ? request.cache : cacheOfGuarded(request.cache, exchange.head);
  const cache = isForBatches(context) ? { ...ofRequest, uncacheable: true } : ofRequest;
  const answer = (): Promise<ExchangeAnswer> => {
    const question = { exchange, operation, endUser: draft.endUser, plan, planMs, cache };
    const pending = tools.throughCache(question, (miss) => reserveAndAnswer(context, miss));
    return request.wait?.(pending, () => context.headers) ?? pending;
  };
  const refusal = refuseIfUnwanted(exchange, exchange.signal);
  return refusal === undefined ? answer() : refusal.then(answer);
}

/** Only callers with the same rules share an answer. */
const cacheOfGuarded = (cache: CacheTerms, { principal }: RequestHead): CacheTerms => ({
  ...cache,
  counted: async () => ({ guardrails: principal?.guardrails, request: await cache.counted() }),
});

/** A refusal by limits or budgets is answered, not thrown, because its headers belong to the client's response. */
async function reserveAndAnswer(context: ServingContext, miss: CacheMiss): Promise<ExchangeAnswer> {
  const { tools, exchange, request, draft } = context;
  const { head } = exchange;
  const { operation } = context.endpoint;
  const { plan, planMs, stream, form = openAiAnswerForm } = request;
  const { mode, recorder } = miss;
  try {
    request.admit?.();
  } catch (thrown) {
    refuse(context, { head, plan, stream, durationMs: planMs }, toGatewayError(thrown));
    throw thrown;
  }
  const { content, ...record } = beginRecord(context);
  const signal = recorder?.signal ?? exchange.signal;
  const reserving = tools.metering.reserve(
    {
      head,
      operation,
      endUser: draft.endUser,
      plan,
      planMs,
      stream,
      tierAsked: request.tierAsked,
      cache: cacheUses[mode],
      signal,
      stillWanted: exchange.stillWanted,
      mayRecord: exchange.mayRecord,
      ...record,
    },
    request.estimate,
  );
  const reserved = reserving instanceof Promise ? await reserving : reserving;
  if ('error' in reserved) {
    context.lease.release();
    recorder?.failed(reserved.error);
    refuse(context, { head, plan, stream, durationMs: planMs }, reserved.error);
    return refusalAnswer(reserved, form.refusal(reserved.error));
  }
  context.headers = { ...reserved.headers, 'x-tallyport-cache': mode };
  const room = tools.answers?.open(signal);
  const startedAt = performance.now();
  const attempt: PaidAttempt = { recorder, reserved, content, signal, room, startedAt, settledAt: undefined };
  return await (stream ? answerStream(context, attempt) : answerWhole(context, attempt));
}

/** A line that a batch of a vendor may answer neither gets a cached answer nor shares its own. */
const isForBatches = (context: ServingContext): boolean =>
  detourOf(context) !== undefined && mayBeBatched(context.request.plan);

const detourOf = ({ tools, exchange }: ServingContext): Detour | undefined => tools.detours?.of(exchange.head);

/** A line that a vendor's batch has answered is paid for, even with a spent budget, and has one record. */
function beginRecord(context: ServingContext) {
  const { tools, exchange, request } = context;
  const isOwed = detourOf(context)?.kind === 'answered';
  const name = isOwed ? recordNameOf(exchange.head.batch, 'answer') : undefined;
  const content = tools.contentLog.begin(exchange.head, request, name?.id);
  return { content, recordId: content?.recordId ?? name?.id, recordAt: name?.at, isOwed };
}

const cacheUses = { MISS: 'miss', BYPASS: 'bypass' } as const satisfies Record<CacheMiss['mode'], CacheUse>;

async function answerWhole(context: ServingContext, attempt: PaidAttempt): Promise<ExchangeAnswer> {
  const { send = slicedAnswer, form = openAiAnswerForm } = context.request;
  try {
    const answer = await attemptAndKeep(context, attempt);
    const { content } = answer;
    const head = { status: 200, headers: headersOf(context, answer, attempt) };
    if (content.kind === 'bytes')
      return { head, body: passedOn(content.source, attempt.reserved.recorded), opaque: true };
    if (content.kind === 'stream') throw new TypeError('A request without `stream` was answered with events.');
    share(answer, attempt);
    return send(head, await form.whole(content.document));
  } finally {
    attempt.room?.handOver();
  }
}

/** Sends the head after `headAfterMs` at the latest; comments keep the connection open until there is content. */
async function answerStream(context: ServingContext, attempt: PaidAttempt): Promise<ExchangeAnswer> {
  const { keepAliveMs, headAfterMs } = context.tools;
  const form = (context.request.form ?? openAiAnswerForm).stream();
  const pending = attemptAndKeep(context, attempt).then((answer) => ({ answer, source: sourceOf(answer, attempt) }));
  const begun = await within(pending, headAfterMs);
  const source = begun?.source ?? lateSource(pending.then((late) => late.source));
  const headers = begun === undefined ? context.headers : headersOf(context, begun.answer, attempt);
  return streamAnswer(headers, { source, form, keepAliveMs, settled: attempt.reserved.recorded });
}

/** Of an account that keeps content, the answer is gathered while it is sent. */
function attemptAndKeep(context: ServingContext, attempt: PaidAttempt): Promise<PaidAnswer> {
  const { content, signal } = attempt;
  const paid = attemptPaid(context, attempt);
  if (content === undefined) return paid;
  return paid.then(
    (answer) => content.answered(answer, signal),
    (thrown: unknown) => {
      content.failed(toGatewayError(thrown));
      throw thrown;
    },
  );
}

/** Settles and records the request, also if the attempt throws. */
async function attemptPaid(context: ServingContext, attempt: PaidAttempt): Promise<PaidAnswer> {
  const { endpoint, request, exchange, guard, lease } = context;
  const { reserved, recorder, room, signal } = attempt;
  const isGuarded = guard !== undefined || exchange.head.findings !== undefined;
  const guarded = isGuarded ? guardedSettlement(reserved, exchange.head, guard) : undefined;
  let settled: Settlement | undefined;
  const life: RequestLife = {
    signal,
    holdAnswer: room && ((bytes) => room.take(bytes)),
    detour: detourOf(context),
    settle(settlement) {
      settled ??= settlement;
      if (!endpoint.leaseOfAnswer) lease.release();
      attempt.settledAt ??= performance.now();
      (guarded ?? reserved).settle(settlement);
    },
  };
  context.isAttempted = true;
  try {
    const claimed = claimRequest(exchange, signal);
    if (claimed !== undefined) await claimed;
    const made = await request.attempt(life);
    const answer =
      guard === undefined ? made : await guard.guard(made, { signal, inspected: () => guarded?.inspected() });
    if (answer.content.kind === 'whole') await reserved.recorded();
    return answer;
  } catch (thrown) {
    room?.release();
    const failure = failureWithUntried(thrown, request.plan, settled?.attempts);
    const error = toGatewayError(failure);
    guarded?.inspected(error);
    const durationMs = performance.now() - attempt.startedAt;
    life.settle({ ...nothingUsed, durationMs, endReason: 'error', error });
    await reserved.recorded();
    recorder?.failed(error);
    throw failure;
  }
}

function headersOf(
  { request, headers, exchange }: ServingContext,
  answer: PaidAnswer,
  attempt: PaidAttempt,
): Record<string, string> {
  const { startedAt, settledAt = performance.now() } = attempt;
  const timing = { planMs: request.planMs, upstreamMs: settledAt - startedAt, attempts: answer.attempts };
  const { plan = request.plan, offer } = answer;
  const served = servedHeaders({ plan, offer }, timing);
  const ofLine = exchange.head.batch && costHeaders(attempt);
  return Object.assign(served, typeHeaders(request, answer), answer.headers, headers, ofLine);
}

const costHeaders = ({ reserved }: PaidAttempt): Readonly<Record<string, string>> => ({
  [costHeader]: reserved.cost() ?? '0',
  [savedHeader]: reserved.saved() ?? '0',
});

const typeHeaders = ({ stream }: PaidRequest, { content }: PaidAnswer): Readonly<Record<string, string>> => {
  if (stream) return {};
  return content.kind === 'bytes' ? content.headers : jsonHeaders;
};

/**
 * Shares the answer with the cache and with concurrent requests, which get only complete answers, and none of a model that
 * stood in: the next request gets the model that it asks for, once that works again.
 */
function share({ offer, plan, content }: PaidAnswer, { recorder }: PaidAttempt): void {
  if (recorder === undefined || content.kind !== 'whole') return;
  if (content.complete && plan === undefined) recorder.whole(offer.providerId, content.document.slices());
  else recorder.incomplete();
}

function sourceOf(answer: PaidAnswer, attempt: PaidAttempt): StreamSource {
  const { offer, plan, content } = answer;
  const { recorder, room } = attempt;
  if (content.kind === 'bytes') throw new TypeError('A request with `stream` was answered with bytes.');
  if (content.kind === 'stream') {
    const { ending } = content;
    const source = heldSource(content.source, room);
    if (plan === undefined) return recorder?.stream({ provider: offer.providerId, source, ending }) ?? source;
    recorder?.incomplete();
    return source;
  }
  if (content.events === undefined) throw new TypeError('A whole answer to a streamed request needs `events`.');
  share(answer, attempt);
  return heldSource(eventSource(content.events()), room);
}

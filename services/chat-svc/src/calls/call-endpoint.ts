import type { Entry } from '@tallyport/serving/cache';
import type { ExchangeAnswer, IncomingExchange } from '@tallyport/bus';
import { endUserOf, type Offer, type Principal, type RequestHead, type UsageOperation } from '@tallyport/contracts';
import {
  askedFallback,
  type CallQuestion,
  groundOfDeferrable,
  offersBefore,
  type Plan,
  type PlanGround,
  routedPlan,
  type Targets,
} from '@tallyport/dispatch';
import type { RequestEstimate } from '@tallyport/pricing';
import { holdBody } from '@tallyport/serving/replay';
import {
  type ApiForm,
  type AskedModel,
  type AskedRouting,
  type ByteBudget,
  type ContentPiece,
  type Lease,
  openAiAnswerForm,
  type PaidAnswer,
  type PaidEndpoint,
  type PaidEvents,
  type PaidRequest,
  planModels,
  type PromptFacts,
  promptRoutes,
  readSuffix,
  type RequestDraft,
  type RequestLife,
  type RouteGround,
  type ServedRequest,
} from '@tallyport/serving';
import { mostRequestBytes } from '../cache/cache-terms.ts';
import { copiesOfRequest } from '../copies-of-request.ts';

export interface CallTools extends RouteGround {
  budget: ByteBudget;
  maxBodyBytes: number;
  targets: Pick<Targets, 'custom'>;
  /** The basis of plans, with the account's own keys if it has any. */
  groundFor(principal: Principal | undefined): Promise<PlanGround>;
}

/** An endpoint with models of its own, such as embeddings: everything that differs between them. */
export interface CallEndpoint<Call> {
  operation: UsageOperation;
  /** OpenAI's when absent. */
  api?: CallApi;
  events: PaidEvents;
  /** Checks a request. Throws `invalid_parameters` with the path of the member. */
  parse(
    body: Uint8Array,
    exchange: Pick<IncomingExchange, 'head' | 'signal'>,
  ): CallBody<Call> | Promise<CallBody<Call>>;
  plan(question: CallQuestion<Call>, targets: Pick<Targets, 'custom'>, ground: PlanGround): Plan;
  /** What the conditions of routes see of the prompt. */
  facts(call: Call): PromptFacts;
  /** Throws if the request cannot be answered by one of several models. Absent if any can. */
  refuseSeveral?(call: Call): void;
  estimate(call: Call): RequestEstimate;
  /** About how much memory the answer needs, in bytes of the lease. */
  expectedBytes(call: Call): number;
  /** The parts of the request, for accounts that keep them. */
  prompt(call: Call): Iterable<ContentPiece>;
  /** Absent if answers are not cached. */
  cache?: CallCache<Call>;
  attempt(planned: PlannedCallRequest<Call>, life: RequestLife): Promise<PaidAnswer>;
  /** Closes every provider connection. */
  close(): Promise<void>;
}

/** A request as it was read. */
interface CallBody<Call> extends Pick<AskedRouting, 'standIns' | 'preferences'> {
  model: string;
  call: Call;
  /** The member `user`, for APIs that have it. */
  endUser?: unknown;
}

interface CallCache<Call> {
  /** Everything in the call that affects the answer. */
  counted(call: Call): unknown;
  /** Builds the answer from that of another request, at no cost. Throws if the entry holds no such answer. */
  from(entry: Entry, recipient: CallRecipient): ExchangeAnswer | Promise<ExchangeAnswer>;
}

export interface CallRecipient extends Omit<ServedRequest, 'offer'> {
  planMs: number;
  form: ApiForm;
}

interface PlannedCallRequest<Call> {
  head: RequestHead;
  plan: Plan;
  call: Call;
}

/** The API of a call that is not OpenAI's. */
export interface CallApi {
  /** Distinguishes its requests from those of other APIs with the same body and Idempotency-Key. */
  name: string;
  form: ApiForm;
}

export const callEndpoint = <Call>(tools: CallTools, endpoint: CallEndpoint<Call>): PaidEndpoint => ({
  name: endpoint.api?.name ?? endpoint.operation,
  operation: endpoint.operation,
  events: endpoint.events,
  lease: () => tools.budget.lease(copiesOfRequest),
  read: (exchange, draft, held) => readCall(tools, endpoint, { exchange, held, draft }),
});

interface HeldCall {
  exchange: IncomingExchange;
  held: Lease;
  draft: RequestDraft;
}

async function readCall<Call>(
  { maxBodyBytes, targets, groundFor, ...routeGround }: CallTools,
  endpoint: CallEndpoint<Call>,
  { exchange, held, draft }: HeldCall,
): Promise<PaidRequest> {
  const startedAt = performance.now();
  const { head, signal } = exchange;
  const { body: bytes } = await holdBody(exchange, { maxBodyBytes, lease: () => held });
  const asked = await endpoint.parse(bytes, exchange);
  const { model, call } = asked;
  const endUser = endUserOf(head, { user: asked.endUser });
  draft.model = model;
  draft.endUser = endUser;
  const current = await groundFor(head.principal);
  const ground = head.batch?.mayDefer === true ? groundOfDeferrable(current) : current;
  const read = { asked, head, held, startedAt, bodyBytes: bytes.length };
  const routes = promptRoutes(routeGround, {
    head,
    signal,
    endUser,
    operation: endpoint.operation,
    prompt: endpoint.facts(call),
    onSeveral: () => endpoint.refuseSeveral?.(call),
  });
  return planModels({ ...asked, routes }, async (named, before) =>
    planWithModel(
      endpoint,
      { ...read, named, tried: offersBefore(before.map(({ plan }) => plan)) },
      { targets, ground },
    ),
  );
}

interface ReadCall<Call> extends Pick<HeldCall, 'held'> {
  asked: CallBody<Call>;
  /** The model that it is planned with. */
  named: AskedModel;
  /** Offers that have their turn already. */
  tried: ReadonlySet<Offer>;
  head: RequestHead;
  startedAt: number;
  bodyBytes: number;
}

function planWithModel<Call>(
  endpoint: CallEndpoint<Call>,
  { asked, named, tried, head, held, startedAt, bodyBytes }: ReadCall<Call>,
  { targets, ground }: Pick<CallTools, 'targets'> & { ground: PlanGround },
): PaidRequest {
  const { call } = asked;
  const sorted = readSuffix({ model: named.model, preferences: asked.preferences }, ground.index);
  const question = { ...sorted, call, tried, principal: head.principal, fallback: askedFallback(head) };
  const plan = routedPlan(endpoint.plan(question, targets, ground), named.route);
  const planMs = performance.now() - startedAt;
  const { cache = uncached, api: { form } = { form: openAiAnswerForm } } = endpoint;
  return {
    plan,
    planMs,
    stream: false,
    form,
    cache: {
      mode: 'plain',
      uncacheable: cache === uncached || bodyBytes > mostRequestBytes,
      counted: () => cache.counted(call),
      from: (entry) => cache.from(entry, { head, form, plan, planMs }),
    },
    content: head.principal?.contentLog && { prompt: () => endpoint.prompt(call), answer: () => [] },
    estimate: () => endpoint.estimate(call),
    admit: () => held.take(endpoint.expectedBytes(call)),
    attempt: (life) => endpoint.attempt({ head, plan, call }, life),
  };
}

const uncached: CallCache<unknown> = {
  counted: () => undefined,
  from() {
    throw new TypeError('An answer that is never cached was found in the cache.');
  },
};

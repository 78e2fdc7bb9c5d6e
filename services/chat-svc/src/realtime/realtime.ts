import type { ExchangeHandler, IncomingExchange } from '@tallyport/bus';
import { endUserOf, GatewayError, type RequestHead, toGatewayError, type UsageOperation } from '@tallyport/contracts';
import {
  askedFallback,
  createRealtimeDispatch,
  type DispatchOptions,
  type Plan,
  type PlanGround,
  planRealtime,
  planTranscriptions,
  planTranscriptionSession,
  type RealtimeDispatch,
  type RequestOutcome,
  type ServedSession,
} from '@tallyport/dispatch';
import { estimateRealtime, estimateTranscription, type RequestEstimate } from '@tallyport/pricing';
import type { TranscriptionCall } from '@tallyport/providers';
import type { Kit } from '@tallyport/service-kit';
import { claimRequest, type GuardrailTools, readSuffix, unlessDismissed } from '@tallyport/serving';
import { type Metering, realtimeSettlement } from '@tallyport/serving/metering';
import type { Upstreams } from '@tallyport/serving/upstreams';
import type { AskedSession } from './asked-session.ts';
import { ConversationSize } from './conversation-size.ts';
import { heldMs, HeldMoney } from './held-money.ts';
import { InputTranscription, type Transcriber } from './input-transcription.ts';
import { type RealtimeEvents, realtimeEvents } from './realtime-events.ts';
import { readLiveOpening } from './google-live/opening.ts';
import { readOpenAiOpening } from './openai-dialect.ts';
import type { ReadOpening, SessionOpening } from './opening.ts';
import { RealtimeRelay } from './session.ts';
import { Turns } from './turns.ts';

interface RealtimeTools {
  groundFor: Upstreams['groundFor'];
  guardrails: Pick<GuardrailTools, 'of'>;
  metering: Pick<Metering, 'reserve' | 'refused'>;
  maxBodyBytes: number;
}

interface Sessions extends RealtimeTools {
  dispatch: RealtimeDispatch;
  targets: DispatchOptions['targets'];
  events: RealtimeEvents;
  running: Set<RealtimeRelay>;
}

interface Realtime {
  handlers: Record<'live' | 'realtime', ExchangeHandler>;
  /** Waits until every session is settled, and closes every connection. */
  close(): Promise<void>;
}

/** `GET /v1/realtime` and Google's Live API: one exchange carries the messages of a session in both directions. */
export function openRealtime(kit: Kit, options: DispatchOptions, tools: RealtimeTools): Realtime {
  const dispatch = createRealtimeDispatch(options);
  const { targets } = options;
  const sessions: Sessions = { ...tools, dispatch, targets, events: realtimeEvents(kit), running: new Set() };
  return {
    handlers: {
      live: (exchange) => serve(sessions, exchange, readLiveOpening),
      realtime: (exchange) => serve(sessions, exchange, readOpenAiOpening),
    },
    async close() {
      await Promise.all([...sessions.running].map(async ({ ended }) => ended));
      await dispatch.close();
    },
  };
}

async function serve(sessions: Sessions, exchange: IncomingExchange, read: ReadOpening): ReturnType<ExchangeHandler> {
  const { head } = exchange;
  const startedAt = performance.now();
  let asked: AskedSession = { type: 'realtime', model: undefined };
  let begun: BegunSession | undefined;
  try {
    const opening = await read(exchange, sessions.maxBodyBytes);
    asked = opening;
    begun = await begin(sessions, exchange, opening);
    return await open(sessions, exchange, begun);
  } catch (thrown) {
    const error = toGatewayError(thrown);
    if (begun === undefined) {
      sessions.events.refused(head, error);
      const { type: operation, model = '' } = asked;
      const durationMs = performance.now() - startedAt;
      unlessDismissed(exchange, () =>
        sessions.metering.refused({ head, model, durationMs, endUser: endUserOf(head), operation }, error),
      );
    }
    throw error;
  }
}

/** A session that is planned and has money for its first response or transcript. */
interface BegunSession {
  opening: SessionOpening;
  plan: Plan;
  ground: PlanGround;
  planMs: number;
  size: ConversationSize;
  money: HeldMoney;
}

async function begin(sessions: Sessions, exchange: IncomingExchange, opening: SessionOpening): Promise<BegunSession> {
  const { head, signal } = exchange;
  const { type: operation, setup } = opening;
  const startedAt = performance.now();
  if (sessions.guardrails.of(head.principal) !== undefined) throw cannotBeGuarded();
  const ground = await sessions.groundFor(head.principal);
  const plan = planOf(sessions, { head, opening, ground });
  const planMs = performance.now() - startedAt;
  sessions.events.planned(planMs);
  const size = new ConversationSize();
  if (setup !== undefined) size.add(setup);
  const money = holding(sessions, { head, signal, plan, planMs, operation }, () =>
    operation === 'realtime' ? estimateRealtime(size.next) : estimateTranscription(minuteOfSpeech),
  );
  const refusal = await money.ensure(0);
  if (refusal !== undefined) throw refusal;
  return { opening, plan, ground, planMs, size, money };
}

interface PlannedSession {
  head: RequestHead;
  opening: SessionOpening;
  ground: PlanGround;
}

function planOf({ targets }: Sessions, { head, opening: { type, model, call }, ground }: PlannedSession): Plan {
  const { principal } = head;
  const named = model === undefined ? undefined : readSuffix({ model, preferences: undefined }, ground.index);
  const question = { principal, fallback: askedFallback(head) };
  if (type === 'transcription')
    return planTranscriptionSession({ model: undefined, ...named, ...question }, targets, ground);
  if (named === undefined) throw noModel();
  return planRealtime({ ...named, ...question, call }, targets, ground);
}

interface HeldRequest {
  head: RequestHead;
  signal: AbortSignal;
  plan: Plan;
  planMs: number;
  operation: UsageOperation;
}

const holding = ({ metering }: Pick<Sessions, 'metering'>, request: HeldRequest, estimate: () => RequestEstimate) =>
  new HeldMoney(async (terms) => {
    const head = { ...request.head, timeoutMs: heldMs };
    const endUser = endUserOf(head);
    return metering.reserve({ ...request, ...terms, head, endUser, stream: true, cache: 'bypass' }, estimate);
  });

async function open(sessions: Sessions, exchange: IncomingExchange, begun: BegunSession): ReturnType<ExchangeHandler> {
  const { head, signal } = exchange;
  const { opening, plan, size, money } = begun;
  const { type, model, dialect, incoming } = opening;
  const served = await dispatched(sessions, exchange, begun);
  const turns = new Turns({ served, money, events: sessions.events, head, plan });
  const find = (model: string) => transcriberOf(sessions, { ...begun, head, signal, served }, model);
  const first = type === 'transcription' ? { plan, offer: served.offer, money } : undefined;
  const isOnly = first !== undefined && opening.model !== undefined;
  const transcription = new InputTranscription({ opened: served.opened, find, first, isOnly });
  const session = new RealtimeRelay({
    type,
    model,
    dialect,
    incoming,
    signal,
    served,
    money,
    turns,
    transcription,
    size,
  });
  sessions.running.add(session);
  void session.ended.then(() => sessions.running.delete(session));
  return { head: { status: 200, headers: {} }, body: session.output, opaque: true };
}

async function dispatched(
  { dispatch, events }: Sessions,
  exchange: IncomingExchange,
  { opening, plan, money }: BegunSession,
): Promise<ServedSession> {
  const { head, signal } = exchange;
  try {
    await claimRequest(exchange, signal);
    return await dispatch.serve({
      plan,
      call: opening.call,
      signal,
      onFailed(outcome: RequestOutcome) {
        money.take().settle(realtimeSettlement(outcome, undefined));
        events.begin({ head, plan, stream: true })(outcome);
      },
    });
  } catch (thrown) {
    money.release();
    throw thrown;
  }
}

interface RunningSession extends BegunSession {
  head: RequestHead;
  signal: AbortSignal;
  served: ServedSession;
}

/** Only the vendor of the session writes down what is said in it, and it gets the name as it is. */
async function transcriberOf(
  sessions: Sessions,
  { head, signal, ground, planMs, served }: RunningSession,
  model: string,
): Promise<Transcriber> {
  const { providerId } = served.offer;
  const { principal } = head;
  const preferences = { only: [providerId] };
  const question = { model, call: anyAudio, principal, fallback: undefined, preferences };
  const plan = planTranscriptions(question, sessions.targets, ground);
  const offer = plan.candidates.map((each) => each.offer).find(({ modelName }) => modelName === model);
  if (offer === undefined || Object.keys(offer.pricing).length === 0) throw noTranscription(model, providerId);
  const request: HeldRequest = { head, signal, plan, planMs, operation: 'transcription' };
  return { plan, offer, money: holding(sessions, request, () => estimateTranscription(minuteOfSpeech)) };
}

const anyAudio: TranscriptionCall = {
  task: 'transcribe',
  file: { name: 'file', content: Buffer.alloc(0) },
  fields: [],
  boundary: '',
  format: 'json',
  stream: false,
};

/** As long as a turn is usually at most, in the bytes of a compressed file. */
const minuteOfSpeech = Buffer.alloc(60 * 8_000);

const noModel = (): GatewayError =>
  new GatewayError('invalid_parameters', 'Name a model: /v1/realtime?model=…', { param: 'model' });

const cannotBeGuarded = (): GatewayError =>
  new GatewayError(
    'permission_denied',
    'This key or account has guardrails, and audio cannot be inspected. Use a key without them, or a chat.',
  );

const noTranscription = (model: string, providerId: string): GatewayError =>
  new GatewayError('unsupported_capability', `${providerId} has no '${model}' with a known price to transcribe with.`, {
    param: 'session.audio.input.transcription.model',
  });

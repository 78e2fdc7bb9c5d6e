import { createHash } from 'node:crypto';
import type { ExchangeHandler, IncomingExchange } from '@tallyport/bus';
import type { RequestHead } from '@tallyport/contracts';
import { answerRulesOf, readOnceKey } from '@tallyport/serving/replay';
import { editMembers } from '@tallyport/wire';
import { jsonAnswer } from '../answer/json-answer.ts';
import type { DeferredRequest } from '../dialects/spoken-dialect.ts';
import type { Background } from './background.ts';
import { eventsAnswer, type EventsForm } from './events-answer.ts';
import { requestTooLarge } from './refusals.ts';
import type { RunIdentity } from './run-form.ts';
import type { RunOwner } from './runs.ts';

export interface DeferTools {
  background: Background;
  keepAliveMs: number;
  /** The largest stored answer with its input. */
  maxStoredBytes: number;
}

interface DeferredApi {
  /** The name of its form. */
  name: string;
  streamed: Omit<EventsForm, 'keepAliveMs'>;
  newId(): string;
  /** What clients see until the answer is there. Throws what refuses the request. */
  outline(request: DeferredRequest, exchange: IncomingExchange, run: RunIdentity): Promise<Record<string, unknown>>;
}

interface BackgroundBody {
  background: true;
  store?: unknown;
  stream?: unknown;
}

/** Whether a request is to be answered in the background. */
export const wantsBackground = (body: unknown): body is BackgroundBody =>
  typeof body === 'object' && body !== null && 'background' in body && body.background === true;

/** Begins a request in the background: answers with what is known of it, or with its events. */
export function deferRequest(
  request: DeferredRequest & { body: BackgroundBody },
  api: DeferredApi,
  { background, maxStoredBytes, keepAliveMs }: DeferTools,
): ExchangeHandler {
  const now = inForeground(request);
  const isStream = request.body.stream === true;
  return async (exchange) => {
    if (now.arrived.length > maxStoredBytes) throw requestTooLarge(maxStoredBytes);
    const { head, signal, clientSignal: counted = signal } = exchange;
    const owner = ownerOf(head);
    const key = keyOf(head, api.name, request.arrived);
    // Made before its answer was lost with a replica.
    const known = key === undefined ? undefined : await background.findByKey(owner, key);
    const { id, createdAt } = known?.record ?? { id: api.newId(), createdAt: Date.now() };
    const outline = await api.outline(now, exchange, { id, createdAt });
    const run =
      known ??
      (await background.begin({
        id,
        createdAt,
        owner,
        api: api.name,
        answerRules: answerRulesOf(head.principal ?? {}),
        request: { head: headOfRun(head), body: now.arrived, outline },
        key,
        isFollowed: isStream,
      }));
    if ('refusal' in run) return run.refusal;
    if (!isStream) return jsonAnswer(outline);
    return eventsAnswer(background.follow(run, { after: -1, signal, counted }), { ...api.streamed, keepAliveMs });
  };
}

/** The request without what asks for the background. */
function inForeground(request: DeferredRequest & { body: BackgroundBody }): DeferredRequest {
  const without = (bytes: Buffer): Buffer => editMembers(bytes, { removed: new Set(['background']), added: {} });
  const { background: _asked, ...body } = request.body;
  return { ...request, body, bytes: without(request.bytes), arrived: without(request.arrived) };
}

const ownerOf = ({ principal }: RequestHead): RunOwner => ({
  accountId: principal?.accountId ?? '',
  projectId: principal?.projectId,
});

/** One request of one API key, whose Idempotency-Key begins one run. */
function keyOf(head: RequestHead, api: string, body: Buffer): string | undefined {
  const key = readOnceKey(head);
  if (key === undefined) return undefined;
  const front = JSON.stringify([key.name, key.keyId, key.project, key.answerRules, api]);
  return createHash('sha256').update(`${front}\n`).update(body).digest('base64url');
}

/** A repeat of its Idempotency-Key gets the run, not another answer. */
function headOfRun(head: RequestHead): RequestHead {
  const { 'idempotency-key': _key, 'last-event-id': _position, ...headers } = head.headers;
  return { ...head, headers };
}

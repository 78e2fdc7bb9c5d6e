import type { ExchangeAnswer, ExchangeHandler, IncomingExchange } from '@switchyard/bus';
import { GatewayError } from '@switchyard/contracts';
import { within } from '@switchyard/service-kit';
import { answerOfRecord, answerOfRun, firstAnswer } from './answers.ts';
import { requestFingerprint } from './fingerprint.ts';
import { type OnceKey, readOnceKey } from './read-key.ts';
import { type BodyLease, holdBody } from './hold-body.ts';
import type { RecordingRoom } from './recording.ts';
import type { OnceRecord } from './record.ts';
import { endsNow, nothingToResume, otherRequest } from './refusals.ts';
import { type OnceRun, startOnceRun } from './once-run.ts';
import type { OnceClaim, ResultWriter, StoredResults } from './stored-results.ts';

/** What an operation is protected with. */
export interface ProtectedOperation {
  /** Part of what makes two requests the same. */
  operation: string;
  maxBodyBytes: number;
  /** What bodies are counted by while they are held here. */
  lease?: () => BodyLease;
}

export interface Replays {
  /** Requests with an Idempotency-Key are worked on once, whoever sends them how often; others pass. */
  protect(options: ProtectedOperation, handler: ExchangeHandler): ExchangeHandler;
  /** Lets what runs for clients that left end well, until the deadline. */
  drain(deadlineMs: number): Promise<void>;
}

export type OnceResult = 'new' | 'joined' | 'replayed' | 'conflict' | 'lost' | 'unprotected';

export interface ReplaysOptions {
  stored: StoredResults;
  maxBytes: number;
  maxHeldBytes: number;
  keepAliveMs: number;
  onResult(result: OnceResult): void;
}

/** As many as a process may work on anyway. */
const mostRuns = 10_000;

export function createReplays(options: ReplaysOptions): Replays {
  const room: RecordingRoom = { held: 0, limit: options.maxHeldBytes };
  /** What runs here, or what somebody is about to find out. */
  const runs = new Map<string, Promise<OnceRun | undefined>>();
  const running = new Set<OnceRun>();
  const desk: Desk = { ...options, room, runs, running };
  return {
    protect: (wanted, handler) => async (exchange) => {
      const key = readOnceKey(exchange.head);
      return key === undefined ? handler(exchange) : answerOnce({ desk, wanted, handler, exchange, key });
    },
    async drain(deadlineMs) {
      const over = Promise.all([...running].map((run) => run.over));
      await within(over, deadlineMs);
      for (const run of running) run.stop(endsNow());
      await over;
    },
  };
}

interface Desk extends ReplaysOptions {
  room: RecordingRoom;
  runs: Map<string, Promise<OnceRun | undefined>>;
  running: Set<OnceRun>;
}

interface OnceContext {
  desk: Desk;
  wanted: ProtectedOperation;
  handler: ExchangeHandler;
  exchange: IncomingExchange;
  key: OnceKey;
}

async function answerOnce(context: OnceContext): Promise<ExchangeAnswer> {
  const { desk, wanted, exchange } = context;
  const { body, release } = await holdBody(exchange, wanted);
  try {
    const contentType = exchange.head.headers['content-type'];
    const print = requestFingerprint({ operation: wanted.operation, contentType, body });
    for (;;) {
      const answer = await answerKnownOrNew(context, { body, print });
      if (answer !== undefined) return answer;
      // What was known of it went with whoever ran it: it is asked anew.
      desk.onResult('lost');
      exchange.signal.throwIfAborted();
    }
  } catch (thrown) {
    if (thrown instanceof GatewayError && thrown.code === 'idempotency_conflict') desk.onResult('conflict');
    throw thrown;
  } finally {
    release();
  }
}

interface OnceRequest {
  body: Uint8Array;
  print: string;
}

/** `undefined`: there was an answer, and it is lost. */
async function answerKnownOrNew(context: OnceContext, request: OnceRequest): Promise<ExchangeAnswer | undefined> {
  const { desk, exchange, key } = context;
  const found = await findOrStart(context, request);
  const { print } = request;
  if (found.kind === 'record') {
    if (found.record.fingerprint !== print) throw otherRequest();
    const { stored, keepAliveMs } = desk;
    const answer = await answerOfRecord(found.record, { stored, key, print, keepAliveMs, signal: exchange.signal });
    if (answer !== undefined) desk.onResult('replayed');
    return answer;
  }
  const { run, kind } = found;
  if (run.fingerprint !== print) throw otherRequest();
  desk.onResult(kind);
  if (kind === 'joined') return answerOfRun(run, key.after);
  exchange.signal.addEventListener('abort', () => run.recording.firstReaderLeaves(), { once: true });
  return firstAnswer(run, { maxBytes: desk.maxBytes, protected: kind === 'new' });
}

type RunOrRecord =
  | { kind: 'record'; record: OnceRecord }
  /** `unprotected`: the store is away, so nobody else knows of it. */
  | { kind: 'new' | 'joined' | 'unprotected'; run: OnceRun };

async function findOrStart(context: OnceContext, request: OnceRequest): Promise<RunOrRecord> {
  const { desk, key } = context;
  for (let known = desk.runs.get(key.name); known !== undefined; known = desk.runs.get(key.name)) {
    const run = await known;
    if (run !== undefined) return { kind: 'joined', run };
  }
  if (desk.runs.size >= mostRuns) throw tooMany();
  const { promise, resolve } = Promise.withResolvers<OnceRun | undefined>();
  desk.runs.set(key.name, promise);
  let run: OnceRun | undefined;
  try {
    const claim = await desk.stored.claim(key.name, request.print);
    if (claim.kind === 'known') return { kind: 'record', record: claim.record };
    if (key.after) await refuseToResume(claim);
    run = start(context, request, claim.kind === 'ours' ? claim.result : undefined);
    return { kind: claim.kind === 'ours' ? 'new' : 'unprotected', run };
  } finally {
    if (run === undefined) desk.runs.delete(key.name);
    resolve(run);
  }
}

async function refuseToResume(claim: OnceClaim): Promise<never> {
  if (claim.kind === 'ours') await claim.result.release();
  throw nothingToResume();
}

function start(
  { desk, handler, exchange, key }: OnceContext,
  { body, print }: OnceRequest,
  result?: ResultWriter,
): OnceRun {
  const { maxBytes, keepAliveMs, room } = desk;
  const { head } = exchange;
  const run = startOnceRun({ handler, head, body, fingerprint: print, result, maxBytes, keepAliveMs, room });
  desk.running.add(run);
  void run.over.then(() => {
    desk.running.delete(run);
    desk.runs.delete(key.name);
  });
  return run;
}

const tooMany = (): GatewayError =>
  new GatewayError('overloaded', 'We are at capacity right now. Try again in a second.', { retryAfterMs: 1_000 });

import type { ExchangeAnswer, ExchangeHandler, IncomingExchange } from '@tallyport/bus';
import { GatewayError } from '@tallyport/contracts';
import { within } from '@tallyport/service-kit';
import { answerOfRecord, answerOfRun, firstAnswer } from './answers.ts';
import { requestFingerprint } from './fingerprint.ts';
import { type OnceKey, onceName, readOnceKey } from './read-key.ts';
import { type BodyLease, holdBody, wholeBody } from './hold-body.ts';
import type { RecordingRoom } from './recording.ts';
import type { LifeStep } from '../life-step.ts';
import type { OnceRecord } from './record.ts';
import { cannotResumeNow, endsNow, nothingToResume, otherRequest, otherRules } from './refusals.ts';
import { type OnceRun, startOnceRun } from './once-run.ts';
import type { ResultWriter } from './result-writer.ts';
import type { OnceClaim, StoredResults } from './stored-results.ts';

/** How one operation is protected. */
interface ProtectedOperation {
  /** Part of the fingerprint that makes two requests equal. */
  operation: string;
  maxBodyBytes: number;
  /** Counts the bytes of bodies that are held. */
  lease?: () => BodyLease;
  /**
   * Called before one key of an account gets an answer that was made for another: returns the refusal that the request
   * would get if it were made now, or `undefined` if it would be served.
   */
  refusalOfRepeat(exchange: IncomingExchange): Promise<ExchangeAnswer | undefined>;
}

export interface Replays {
  /** Handles each request with an Idempotency-Key once, however often it is repeated. Other requests pass through. */
  protect(options: ProtectedOperation): LifeStep;
  /** Deletes answers whose clients will not ask for them again. */
  forget(answers: { accountId: string; keys: readonly string[] }): Promise<void>;
  /** Lets runs whose clients have left finish, at most until the deadline. */
  drain(deadlineMs: number): Promise<void>;
}

type OnceResult = 'new' | 'joined' | 'replayed' | 'conflict' | 'lost' | 'unprotected';

interface ReplaysOptions {
  stored: StoredResults;
  maxBytes: number;
  maxHeldBytes: number;
  keepAliveMs: number;
  onResult(result: OnceResult): void;
}

/** More than a process can handle at once. */
const mostRuns = 10_000;

export function createReplays(options: ReplaysOptions): Replays {
  const room: RecordingRoom = { held: 0, limit: options.maxHeldBytes };
  /** Runs of this process; pending while the store is being queried for a key. */
  const runs = new Map<string, Promise<OnceRun | undefined>>();
  const running = new Set<OnceRun>();
  const replay: ReplayContext = { ...options, room, runs, running };
  return {
    protect: (protection) => (handler) => {
      const answerKeyed: ExchangeHandler = async (exchange) => {
        const key = readOnceKey(exchange.head);
        return key === undefined ? handler(exchange) : answerOnce({ replay, protection, handler, exchange, key });
      };
      return (exchange) =>
        exchange.head.headers['idempotency-key'] === undefined ? handler(exchange) : answerKeyed(exchange);
    },
    async forget({ accountId, keys }) {
      await Promise.all(keys.map((key) => options.stored.drop(onceName(accountId, key))));
    },
    async drain(deadlineMs) {
      const over = Promise.all([...running].map((run) => run.over));
      await within(over, deadlineMs);
      for (const run of running) run.stop(endsNow());
      await over;
    },
  };
}

interface ReplayContext extends ReplaysOptions {
  room: RecordingRoom;
  runs: Map<string, Promise<OnceRun | undefined>>;
  running: Set<OnceRun>;
}

interface OnceContext {
  replay: ReplayContext;
  protection: ProtectedOperation;
  handler: ExchangeHandler;
  exchange: IncomingExchange;
  key: OnceKey;
}

async function answerOnce(context: OnceContext): Promise<ExchangeAnswer> {
  const { replay, protection, exchange } = context;
  const { body, release } = await holdBody(exchange, protection);
  try {
    const { headers, model } = exchange.head;
    const operation = model === undefined ? protection.operation : `${protection.operation} ${model}`;
    const print = requestFingerprint({ operation, contentType: headers['content-type'], body });
    for (;;) {
      const answer = await answerKnownOrNew(context, { body, print });
      if (answer !== undefined) return answer;
      // The replica that knew the answer is gone, so the request is made again.
      replay.onResult('lost');
      exchange.signal.throwIfAborted();
    }
  } catch (thrown) {
    if (thrown instanceof GatewayError && thrown.code === 'idempotency_conflict') replay.onResult('conflict');
    throw thrown;
  } finally {
    release();
  }
}

interface OnceRequest {
  body: Uint8Array;
  print: string;
}

/** `undefined`: there was an answer, but it is lost. */
async function answerKnownOrNew(context: OnceContext, request: OnceRequest): Promise<ExchangeAnswer | undefined> {
  const { replay, exchange, key } = context;
  const found = await findOrStart(context, request);
  const { print } = request;
  if (found.kind === 'record') {
    if (found.record.fingerprint !== print) throw otherRequest();
    const refused = await refusalOfFound(context, request, found.record);
    if (refused !== undefined) return refused;
    const { stored, keepAliveMs } = replay;
    const answer = await answerOfRecord(found.record, { stored, key, print, keepAliveMs, signal: exchange.signal });
    if (answer !== undefined) replay.onResult('replayed');
    return answer;
  }
  const { run, kind } = found;
  if (run.fingerprint !== print) throw otherRequest();
  const refused = kind === 'joined' ? await refusalOfFound(context, request, run) : undefined;
  if (refused !== undefined) return refused;
  replay.onResult(kind);
  if (kind === 'joined') return answerOfRun(run, key.after);
  const leave = (): void => run.recording.firstReaderLeaves();
  if (exchange.signal.aborted) leave();
  else exchange.signal.addEventListener('abort', leave, { once: true });
  return firstAnswer(run, { maxBytes: replay.maxBytes, protected: kind === 'new' });
}

/**
 * The key of the first request gets the answer again, because it is paid for, unless its guardrails for answers have
 * changed. Keys of other projects never get it.
 */
async function refusalOfFound(
  { exchange, protection, key }: OnceContext,
  { body }: OnceRequest,
  first: Pick<OnceRecord, 'keyId' | 'answerRules' | 'project'>,
): Promise<ExchangeAnswer | undefined> {
  const { head, signal } = exchange;
  const isOwn = first.keyId === key.keyId;
  if (!isOwn && (first.project ?? key.project) !== key.project) throw otherRequest();
  if ((first.answerRules ?? (isOwn ? key.answerRules : '')) !== key.answerRules) throw otherRules();
  if (isOwn) return undefined;
  return protection.refusalOfRepeat({ head, body: wholeBody(body), signal });
}

type RunOrRecord =
  | { kind: 'record'; record: OnceRecord }
  /** `unprotected`: the store is unavailable, so no other replica knows of the run. */
  | { kind: 'new' | 'joined' | 'unprotected'; run: OnceRun };

async function findOrStart(context: OnceContext, request: OnceRequest): Promise<RunOrRecord> {
  const { replay, key, exchange } = context;
  for (let known = replay.runs.get(key.name); known !== undefined; known = replay.runs.get(key.name)) {
    const run = await known;
    if (run === undefined) continue;
    if (await run.holdsKey()) return { kind: 'joined', run };
    forgetRunOf(replay, key.name, known);
  }
  if (replay.runs.size >= mostRuns) throw tooMany();
  const { promise, resolve } = Promise.withResolvers<OnceRun | undefined>();
  replay.runs.set(key.name, promise);
  let run: OnceRun | undefined;
  try {
    const { keyId, answerRules, project } = key;
    const first = { fingerprint: request.print, keyId, answerRules, project };
    // Those of batches are forgotten once they are stored there, and must not take the room of clients' answers.
    const holder = exchange.head.batch === undefined ? key.accountId : undefined;
    const claim = await replay.stored.claim(key.name, first, holder);
    if (claim.kind === 'known') return { kind: 'record', record: claim.record };
    if (key.after) await refuseToResume(claim);
    run = start(context, request, claim.kind === 'ours' ? claim.result : undefined);
    void run.over.then(() => forgetRunOf(replay, key.name, promise));
    return { kind: claim.kind === 'ours' ? 'new' : 'unprotected', run };
  } finally {
    if (run === undefined) forgetRunOf(replay, key.name, promise);
    resolve(run);
  }
}

/** Forgets a run unless another one has replaced it. */
function forgetRunOf({ runs }: ReplayContext, name: string, known: Promise<OnceRun | undefined>): void {
  if (runs.get(name) === known) runs.delete(name);
}

async function refuseToResume(claim: OnceClaim): Promise<never> {
  if (claim.kind === 'away') throw cannotResumeNow();
  if (claim.kind === 'ours') await claim.result.release();
  throw nothingToResume();
}

function start(
  { replay, handler, exchange, key }: OnceContext,
  { body, print }: OnceRequest,
  result?: ResultWriter,
): OnceRun {
  const { maxBytes, keepAliveMs, room } = replay;
  const { head, confirm, signal: clientSignal } = exchange;
  const kept = { maxBytes, keepAliveMs, room };
  const run = startOnceRun({ ...kept, handler, head, body, confirm, clientSignal, fingerprint: print, key, result });
  replay.running.add(run);
  void run.over.then(() => replay.running.delete(run));
  return run;
}

const tooMany = (): GatewayError =>
  new GatewayError('overloaded', 'We are at capacity right now. Try again in a second.', { retryAfterMs: 1_000 });

import { setTimeout as sleep } from 'node:timers/promises';
import type { ExchangeAnswer } from '@tallyport/bus';
import type { ResponseHead } from '@tallyport/contracts';
import { eventsAfter } from './numbered-events.ts';
import type { OnceKey } from './read-key.ts';
import { isNumbered, isStream, type OnceRecord } from './record.ts';
import { brokeOff, otherRequest, tooLargeToKeep } from './refusals.ts';
import type { OnceRun } from './once-run.ts';
import type { StoredResults } from './stored-results.ts';

/**
 * `new`: made now, and kept. `replayed`: made for an earlier request with this key. `not-kept`: too large to be
 * replayed. `unprotected`: the store is unavailable, so another replica would make it again.
 */
type IdempotencyStatus = 'new' | 'not-kept' | 'replayed' | 'unprotected';

const withStatus = ({ status, headers }: ResponseHead, idempotency: IdempotencyStatus): ResponseHead => ({
  status,
  headers: { ...headers, 'x-tallyport-idempotency': idempotency },
});

/** The answer to the first request with a key. */
export async function firstAnswer(
  { recording }: OnceRun,
  options: { maxBytes: number; protected: boolean },
): Promise<ExchangeAnswer> {
  const head = await recording.head();
  const length = Number(head.headers['content-length'] ?? 0);
  const kept = length > options.maxBytes ? 'not-kept' : 'new';
  return { head: withStatus(head, options.protected ? kept : 'unprotected'), body: recording.readFirst(0) };
}

/** The answer to a repeated request while the first one runs in this process. */
export async function answerOfRun({ recording }: OnceRun, after: number | undefined): Promise<ExchangeAnswer> {
  const head = await recording.head();
  return { head: withStatus(head, 'replayed'), body: recording.read(recording.stream ? (after ?? 0) : 0) };
}

interface RecordContext {
  stored: StoredResults;
  key: OnceKey;
  print: string;
  keepAliveMs: number;
  signal: AbortSignal;
}

/** The answer from the store, complete or still being written. `undefined` if it is lost. */
export async function answerOfRecord(
  record: OnceRecord,
  elsewhere: RecordContext,
): Promise<ExchangeAnswer | undefined> {
  const begun = await begunOf(record, elsewhere);
  if (begun === undefined) return undefined;
  const { head } = begun;
  const { stored, key } = elsewhere;
  if (begun.state !== 'done') return { head: withStatus(head, 'replayed'), body: followed(begun, elsewhere) };
  const pieces = await stored.whole(key.name, begun);
  if (pieces === undefined) {
    await stored.forget(key.name, begun.run);
    return undefined;
  }
  const { after = 0 } = key;
  return {
    head: withStatus(head, 'replayed'),
    body: inTurn(isNumbered(begun) ? pieces.flatMap(eventsAfter(after)) : pieces),
  };
}

type BegunRecord = OnceRecord & { head: ResponseHead };

/** Removes pieces as they are sent, so that their memory can be freed early. */
async function* inTurn(pieces: Buffer[]): AsyncGenerator<Buffer> {
  for (let piece = pieces.shift(); piece !== undefined; piece = pieces.shift()) yield piece;
}

const firstPauseMs = 50;
const longestPauseMs = 500;

/** Waits until an answer can start: until it is complete, or until a stream has begun. */
async function begunOf(
  record: OnceRecord,
  { stored, key, print, signal }: RecordContext,
): Promise<BegunRecord | undefined> {
  let now: OnceRecord | undefined = record;
  for (let pauseMs = firstPauseMs; now !== undefined; pauseMs = Math.min(2 * pauseMs, longestPauseMs)) {
    const { head, state } = now;
    if (now.fingerprint !== print) throw otherRequest();
    if (state === 'unkept') throw tooLargeToKeep();
    if (head !== undefined && (state === 'done' || isStream(now))) return { ...now, head };
    await sleep(pauseMs, undefined, { signal });
    now = await stored.find(key.name);
  }
  return undefined;
}

const keepAlive = Buffer.from(': keep-alive\n\n');

/** A stream that runs on another replica: first what is stored, then what is added to it. */
async function* followed(
  begun: BegunRecord,
  { stored, key, keepAliveMs, signal }: RecordContext,
): AsyncGenerator<Buffer> {
  let record: OnceRecord | undefined = begun;
  const hasIds = isNumbered(begun);
  const read = eventsAfter(key.after ?? 0);
  let index = 0;
  let silentSince = performance.now();
  for (;;) {
    for (; index < record.pieces; index += 1) {
      const piece = await stored.piece(key.name, record.run, index);
      if (piece === undefined) throw brokeOff();
      yield* hasIds ? read(piece) : [piece];
      silentSince = performance.now();
    }
    if (record.state === 'done') return;
    if (record.state === 'unkept') throw tooLargeToKeep();
    // Between two pieces without ids may be the middle of an event.
    if (hasIds && performance.now() - silentSince > keepAliveMs) {
      yield keepAlive;
      silentSince = performance.now();
    }
    await sleep(longestPauseMs, undefined, { signal });
    record = await stored.find(key.name);
    if (record === undefined || record.run !== begun.run) throw brokeOff();
  }
}

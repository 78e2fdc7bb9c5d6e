import { setTimeout as sleep } from 'node:timers/promises';
import type { ExchangeAnswer } from '@switchyard/bus';
import type { ResponseHead } from '@switchyard/contracts';
import { eventsAfter } from './numbered-events.ts';
import type { OnceKey } from './read-key.ts';
import type { OnceRecord } from './record.ts';
import { brokeOff, otherRequest, tooLargeToKeep } from './refusals.ts';
import type { OnceRun } from './once-run.ts';
import type { StoredResults } from './stored-results.ts';

/**
 * `new`: made now, and kept. `replayed`: made for the first request with this key. `not-kept`: too large to be given
 * again. `unprotected`: the store is away, so that another replica would make it again.
 */
type OnceWord = 'new' | 'not-kept' | 'replayed' | 'unprotected';

const isStream = ({ headers }: ResponseHead): boolean =>
  headers['content-type']?.startsWith('text/event-stream') === true;

const told = ({ status, headers }: ResponseHead, word: OnceWord): ResponseHead => ({
  status,
  headers: { ...headers, 'x-switchyard-idempotency': word },
});

/** For who asked first. */
export async function firstAnswer(
  { recording }: OnceRun,
  options: { maxBytes: number; protected: boolean },
): Promise<ExchangeAnswer> {
  const head = await recording.head();
  const length = Number(head.headers['content-length'] ?? 0);
  const kept = length > options.maxBytes ? 'not-kept' : 'new';
  return { head: told(head, options.protected ? kept : 'unprotected'), body: recording.readFirst(0) };
}

/** For who asks the same while it runs here. */
export async function answerOfRun({ recording }: OnceRun, after: number | undefined): Promise<ExchangeAnswer> {
  const head = await recording.head();
  return { head: told(head, 'replayed'), body: recording.read(isStream(head) ? (after ?? 0) : 0) };
}

export interface RecordContext {
  stored: StoredResults;
  key: OnceKey;
  print: string;
  keepAliveMs: number;
  signal: AbortSignal;
}

/** What is in the store, or will be. `undefined` when it is lost. */
export async function answerOfRecord(
  record: OnceRecord,
  elsewhere: RecordContext,
): Promise<ExchangeAnswer | undefined> {
  const begun = await begunOf(record, elsewhere);
  if (begun === undefined) return undefined;
  const { head } = begun;
  const { stored, key } = elsewhere;
  if (begun.state !== 'done') return { head: told(head, 'replayed'), body: followed(begun, elsewhere) };
  const pieces = await stored.whole(key.name, begun);
  if (pieces === undefined) {
    await stored.forget(key.name, begun.run);
    return undefined;
  }
  const { after = 0 } = key;
  return {
    head: told(head, 'replayed'),
    body: inTurn(isStream(head) ? pieces.flatMap((piece) => eventsAfter(piece, after)) : pieces),
  };
}

type BegunRecord = OnceRecord & { head: ResponseHead };

/** What has left is not held until all has. */
async function* inTurn(pieces: Buffer[]): AsyncGenerator<Buffer> {
  for (let piece = pieces.shift(); piece !== undefined; piece = pieces.shift()) yield piece;
}

const firstPauseMs = 50;
const longestPauseMs = 500;

/** Waits until there is something to answer with: all of it, or the beginning of a stream. */
async function begunOf(
  record: OnceRecord,
  { stored, key, print, signal }: RecordContext,
): Promise<BegunRecord | undefined> {
  let now: OnceRecord | undefined = record;
  for (let pauseMs = firstPauseMs; now !== undefined; pauseMs = Math.min(2 * pauseMs, longestPauseMs)) {
    const { head, state } = now;
    if (now.fingerprint !== print) throw otherRequest();
    if (state === 'unkept') throw tooLargeToKeep();
    if (head !== undefined && (state === 'done' || isStream(head))) return { ...now, head };
    await sleep(pauseMs, undefined, { signal });
    now = await stored.find(key.name);
  }
  return undefined;
}

const keepAlive = Buffer.from(': keep-alive\n\n');

/** A stream that runs on another replica, as far as it is written down, and then what comes. */
async function* followed(
  begun: BegunRecord,
  { stored, key, keepAliveMs, signal }: RecordContext,
): AsyncGenerator<Buffer> {
  let record: OnceRecord | undefined = begun;
  let index = 0;
  let silentSince = performance.now();
  for (;;) {
    for (; index < record.pieces; index += 1) {
      const piece = await stored.piece(key.name, record.run, index);
      if (piece === undefined) throw brokeOff();
      yield* eventsAfter(piece, key.after ?? 0);
      silentSince = performance.now();
    }
    if (record.state === 'done') return;
    if (record.state === 'unkept') throw tooLargeToKeep();
    if (performance.now() - silentSince > keepAliveMs) {
      yield keepAlive;
      silentSince = performance.now();
    }
    await sleep(longestPauseMs, undefined, { signal });
    record = await stored.find(key.name);
    if (record === undefined || record.run !== begun.run) throw brokeOff();
  }
}

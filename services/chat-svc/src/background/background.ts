import type { ExchangeAnswer } from '@tallyport/bus';
import { GatewayError } from '@tallyport/contracts';
import { within } from '@tallyport/service-kit';
import { setTimeout as sleep } from 'node:timers/promises';
import { announce, openLog } from './close-run.ts';
import { keepFollower, showFollower } from './follower.ts';
import { followLog } from './follow-log.ts';
import { holdRun } from './held-run.ts';
import { eventsLost } from './refusals.ts';
import type { LoggedEvent } from './run-log.ts';
import { logName, runName } from './run-names.ts';
import { createRunPool, type RunPool, type RunPoolOptions } from './run-pool.ts';
import type { FoundRun, NewRun, Runs } from './runs.ts';

/** Requests that are answered without their client, on any replica. */
export interface Background {
  /**
   * Stores a request and begins it if this replica has room. Throws, or resolves with the refusal, if it would be refused
   * without `background`: there is no run then.
   */
  begin(run: NewRun): Promise<FoundRun | { refusal: ExchangeAnswer }>;
  find: Runs['find'];
  findByKey: Runs['findByKey'];
  /** What clients see of a run; `undefined` if that is stored elsewhere, or lost. */
  document(run: FoundRun): Promise<Record<string, unknown> | undefined>;
  /** Its events after one of them; -1 for all. Throws if they are not kept. */
  follow(run: FoundRun, options: FollowOptions): AsyncIterable<readonly LoggedEvent[]>;
  /** Resolves when the run has ended, with its record then; or with its present one after ten seconds. */
  cancel(run: FoundRun): Promise<FoundRun>;
  /** Deletes what is stored of a run, which is cancelled if it has not ended. */
  drop(run: FoundRun): Promise<void>;
  /** How many it makes now. */
  running(): number;
  start(): void;
  /** Leaves runs that wait to other replicas, finishes running ones, and hands over those that are left at the deadline. */
  drain(deadlineMs: number): Promise<void>;
}

interface FollowOptions {
  after: number;
  signal: AbortSignal;
  /** Aborts when the client leaves whose open request is counted as concurrent instead of the run. */
  counted?: AbortSignal;
}

/** How long a client waits for the refusal of its request. */
const refusalMs = 1_000;
const cancelMs = 10_000;
const longestPauseMs = 200;

export function createBackground(options: RunPoolOptions): Background {
  const { store, runs, forms, times } = options;
  const pool = createRunPool(options);
  const cancel = (run: FoundRun): Promise<FoundRun> => cancelRun(runs, pool, run);
  return {
    async begin(run) {
      if (run.isFollowed) await showFollower(store, runName(run.owner.accountId, run.id), times);
      const found = await runs.create(run);
      return pool.hasRoom() ? beginHere(pool, found) : leaveNew(options, found, run);
    },
    find: runs.find,
    findByKey: runs.findByKey,
    async document(run) {
      const { state, api } = run.record;
      if (state === 'ended') return runs.readEnding(run);
      const request = await runs.readRequest(run);
      return request && forms[api]?.unended(request.outline, state);
    },
    follow({ record, name }, { after, signal, counted }) {
      const form = forms[record.api];
      if (form === undefined || record.isLogLost) throw eventsLost();
      const isOver = async (): Promise<boolean> => {
        const now = await runs.refresh(name);
        return now === 'none' || (now !== 'unknown' && (now.state === 'ended' || now.isLogLost));
      };
      const events = followLog(store, { name: logName(name), after, isLast: form.isLast, isOver, signal });
      return counted === undefined ? events : untilRead(events, keepFollower(store, name, { times, client: counted }));
    },
    cancel,
    drop: async (run) => runs.drop((await cancel(run)).name),
    running: pool.size,
    start: pool.start,
    drain: pool.drain,
  };
}

/** Begins a new run, and waits shortly for its refusal. */
async function beginHere(pool: RunPool, found: FoundRun): Promise<FoundRun | { refusal: ExchangeAnswer }> {
  const isCalled = Promise.withResolvers<undefined>();
  const isRefused = Promise.withResolvers<ExchangeAnswer | GatewayError>();
  let isHeard = true;
  const over = pool.make(found, {
    onCall: () => isCalled.resolve(undefined),
    onRefused(refusal) {
      isRefused.resolve(refusal);
      return isHeard;
    },
  });
  const known = [isCalled.promise, isRefused.promise, over.then(() => undefined)];
  const refusal = await within(Promise.race(known), refusalMs);
  isHeard = false;
  if (refusal === undefined) return found;
  // A client that sends its key again must not find the run.
  await within(over, refusalMs);
  if (refusal instanceof GatewayError) throw refusal;
  return { refusal };
}

/** Leaves a new run to the next replica that has room. */
async function leaveNew(options: RunPoolOptions, found: FoundRun, { api, request }: NewRun): Promise<FoundRun> {
  const { store, times, forms, events } = options;
  const held = holdRun(store, { ...found, times, onTaken() {}, onCancelled() {}, onFailed: events.failed });
  const { log } = await openLog(options, held);
  const form = forms[api];
  if (form !== undefined) announce({ form, log, outline: request.outline });
  await log.flush();
  log.close();
  await held.leave(0);
  return { name: found.name, record: held.record() };
}

async function* untilRead<Read>(read: AsyncIterable<Read>, onOver: () => void): AsyncGenerator<Read> {
  try {
    yield* read;
  } finally {
    onOver();
  }
}

async function cancelRun(runs: Runs, pool: RunPool, run: FoundRun): Promise<FoundRun> {
  if (run.record.state === 'ended') return run;
  await runs.askToCancel(run.name);
  const claimed = run.record.holder === '' ? await runs.claim(run) : undefined;
  if (claimed !== undefined) void pool.make(claimed);
  const until = performance.now() + cancelMs;
  let latest = run;
  for (let pauseMs = 10; performance.now() < until; pauseMs = Math.min(2 * pauseMs, longestPauseMs)) {
    const record = await runs.refresh(run.name);
    if (record === 'none') return latest;
    if (record !== 'unknown') latest = { name: run.name, record };
    if (latest.record.state === 'ended') return latest;
    await sleep(pauseMs);
  }
  return latest;
}

import { setTimeout as sleep } from 'node:timers/promises';
import type { Pieces } from '@tallyport/store';
import { type RunLog, type LoggedEvent, writeLog } from './run-log.ts';
import type { HeldRun } from './held-run.ts';
import { readLog } from './read-log.ts';
import { runsUnavailable } from './refusals.ts';
import type { RunEnding, RunForm, RunStop } from './run-form.ts';
import { logName } from './run-names.ts';
import type { RunTools } from './run-tools.ts';

interface OpenLog {
  log: RunLog;
  /** The last event that is there. */
  last: LoggedEvent | undefined;
}

/** The log of a run, which goes on where another replica has left it. */
export async function openLog({ store, times, room, maxLogBytes }: RunTools, held: HeldRun): Promise<OpenLog> {
  const name = logName(held.name);
  const reader = readLog(store, name);
  let last: LoggedEvent | undefined;
  let read = await reader.more();
  while (read !== 'unknown' && read.length > 0) {
    last = read.at(-1);
    read = await reader.more();
  }
  const end = read === 'unknown' ? undefined : reader.end();
  const options = { name, ttlMs: times.openMs + times.logMs, maxBytes: maxLogBytes, room, isHeld: held.isHeld };
  const log = writeLog(store, options, end);
  if (end === undefined || held.record().isLogLost) log.close();
  return { log, last };
}

/** Writes the events of a run that waits, unless they are there. */
export function announce({ form, log, outline }: Stopping): void {
  const { queued } = form.opening(outline);
  for (const event of queued.slice(log.next())) log.append(form.numbered(event, log.next()));
}

interface Closing {
  form: RunForm;
  log: RunLog;
  /** The last event, unless the log has it. */
  last?: LoggedEvent;
  ending: RunEnding;
}

/** Ends a run that has an answer or an error. */
export async function closeRun(
  tools: RunTools,
  held: HeldRun,
  { form, log, last, ending: { result, document } }: Closing,
): Promise<void> {
  const { store, runs, times, events } = tools;
  // What the last event says must be found from then on.
  const ending = document && (await storedEnding(tools, held, document));
  if (last !== undefined) log.append(form.numbered(last, log.next()));
  await log.flush();
  const run = { name: held.name, record: held.record() };
  if (!(await held.end({ isLogLost: log.isLost(), ...(ending && { ending }) }, times.keepMs))) return;
  runs.close(run);
  events.ended(result);
  // Readers look whether more events will follow.
  await store.publish(logName(held.name), Buffer.alloc(0));
}

/** Pauses between tries to store an ending. */
const endingPausesMs = [50, 100, 200];

/** Throws if it cannot be stored: the run has not ended then. */
async function storedEnding({ runs }: RunTools, { name }: HeldRun, document: object): Promise<Pieces> {
  for (const pauseMs of [...endingPausesMs, 0]) {
    const ending = await runs.writeEnding(name, document);
    if (ending !== undefined) return ending;
    await sleep(pauseMs);
  }
  throw runsUnavailable();
}

export interface Stopping {
  form: RunForm;
  log: RunLog;
  outline: Record<string, unknown>;
}

/** Ends a run without an answer. */
export function stopRun(tools: RunTools, held: HeldRun, stopping: Stopping & { reason: RunStop }): Promise<void> {
  const { form, log, outline, reason } = stopping;
  const { event: last, ending } = form.stopped(outline, reason);
  return closeRun(tools, held, { form, log, last, ending });
}

import { type RunLog, writeLog } from './run-log.ts';
import type { HeldRun } from './held-run.ts';
import { readLog } from './read-log.ts';
import type { RunEnding, RunForm, RunStop } from './run-form.ts';
import { logName } from './run-names.ts';
import type { RunTools } from './run-tools.ts';

/** The log of a run, which goes on where another replica has left it. */
export async function openLog({ store, times, room, maxLogBytes }: RunTools, held: HeldRun): Promise<RunLog> {
  const name = logName(held.name);
  const reader = readLog(store, name);
  let read = await reader.more();
  while (read !== 'unknown' && read.length > 0) read = await reader.more();
  const end = read === 'unknown' ? undefined : reader.end();
  const options = { name, ttlMs: times.openMs + times.logMs, maxBytes: maxLogBytes, room, isHeld: held.isHeld };
  const log = writeLog(store, options, end);
  if (end === undefined || held.record().isLogLost) log.close();
  return log;
}

/** The number of events while a run waits to be begun. */
export const waiting = 2;

/** Writes the events of a run that waits, unless they are there. */
export function announce({ form, log, outline }: Stopping): void {
  const { queued } = form.opening(outline);
  for (const event of queued.slice(log.next())) log.append(form.numbered(event, log.next()));
}

/** Ends a run that has an answer or an error. */
export async function closeRun(
  { store, runs, times, events }: RunTools,
  held: HeldRun,
  { log, ending }: { log: RunLog; ending: RunEnding },
): Promise<void> {
  await log.flush();
  const document = ending.document && (await runs.writeEnding(held.name, ending.document));
  const run = { name: held.name, record: held.record() };
  if (!(await held.end({ isLogLost: log.isLost(), ...(document && { ending: document }) }, times.keepMs))) return;
  runs.close(run);
  events.ended(ending.result);
  // Readers look whether more events will follow.
  await store.publish(logName(held.name), Buffer.alloc(0));
}

export interface Stopping {
  form: RunForm;
  log: RunLog;
  outline: Record<string, unknown>;
}

/** Ends a run without an answer. */
export function stopRun(tools: RunTools, held: HeldRun, stopping: Stopping & { reason: RunStop }): Promise<void> {
  const { form, log, outline, reason } = stopping;
  const { event, ending } = form.stopped(outline, reason);
  log.append(form.numbered(event, log.next()));
  return closeRun(tools, held, { log, ending });
}

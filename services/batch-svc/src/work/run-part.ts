import { setTimeout as pause } from 'node:timers/promises';
import { GatewayError, type Principal } from '@tallyport/contracts';
import { repeat } from '@tallyport/service-kit';
import { readContentKey } from '../files/content-key.ts';
import { linesOfPart } from '../lines/lines-of-part.ts';
import type { InputLine } from '../lines/read-lines.ts';
import { storeResults } from './store-results.ts';
import { endBatchOfKey } from './end-batch-of-key.ts';
import { type HeldPart, leasePauseMs, leavePart, renewLease } from './parts.ts';
import { createLineResultWriter, type LineResultWriter } from './line-result-writer.ts';
import { type LineResult, type LineRun, runLine, type WaitingLine } from './run-line.ts';
import type { WorkTools } from './work-tools.ts';

/** What is known of a part while its lines run. */
interface RunningPart {
  tools: WorkTools;
  part: HeldPart;
  writer: LineResultWriter;
  run: LineRun;
  /** Why no further lines are begun; the rest of the part waits. */
  pause: { ms: number } | undefined;
  isEnding(): boolean;
  /** Aborts when the lines that run must end, too. */
  signal: AbortSignal;
}

/** How a replica stops. */
interface ReplicaStop {
  /** No further lines are begun. */
  isStopping(): boolean;
  /** Aborts the lines that run. */
  signal: AbortSignal;
}

/** Runs the lines of a part that have no results yet, and leaves it. Never rejects. */
export async function runPart(tools: WorkTools, part: HeldPart, stopping: ReplicaStop): Promise<void> {
  const { database, events } = tools;
  const own = new AbortController();
  const signal = AbortSignal.any([own.signal, stopping.signal]);
  let isEnding = false;
  const stopRenewing = repeat({ everyMs: leasePauseMs, onFailed: events.notWorked }, async () => {
    const lease = await renewLease(database.kysely, part);
    if (lease === 'lost') own.abort();
    if (lease === 'ending') isEnding = true;
  });
  try {
    const left = await runLines(tools, part, {
      signal,
      abort: () => own.abort(),
      isEnding: () => isEnding || stopping.isStopping(),
    });
    await leavePart(database.kysely, part, left);
  } catch (error) {
    if (!signal.aborted) events.notWorked(error);
    await leavePart(database.kysely, part, {
      pauseMs: stopping.signal.aborted ? 0 : pauseOf(part.tries),
      progressed: false,
    }).catch(events.notWorked);
  } finally {
    stopRenewing();
  }
}

interface PartControl {
  signal: AbortSignal;
  abort(): void;
  isEnding(): boolean;
}

async function runLines(
  tools: WorkTools,
  part: HeldPart,
  control: PartControl,
): Promise<Parameters<typeof leavePart>[2]> {
  const { database, callerOfKey } = tools;
  const { batch } = part;
  const { caller } = await callerOfKey({ keyId: batch.keyId });
  if (caller?.principal.accountId !== batch.accountId) {
    await endBatchOfKey(database, batch);
    return { pauseMs: 0, progressed: false };
  }
  const key = await readContentKey(tools, batch);
  const writer = createLineResultWriter({
    async store(results) {
      if (!(await storeResults({ database, part, key }, results))) throw partLost();
      tools.events.linesEnded(batch.api, results);
    },
    onFailed: control.abort,
  });
  const running: RunningPart = {
    tools,
    part,
    writer,
    run: runOf(tools, part, { key, principal: caller.principal, signal: control.signal }),
    pause: undefined,
    isEnding: control.isEnding,
    signal: control.signal,
  };
  await runInput(running);
  const stored = await writer.close();
  control.signal.throwIfAborted();
  if (control.isEnding()) return { pauseMs: 0, progressed: true };
  return running.pause === undefined ? { done: true } : { pauseMs: running.pause.ms, progressed: stored > 0 };
}

const runOf = (
  { runners }: WorkTools,
  { batch }: HeldPart,
  known: { key: Uint8Array; principal: Principal; signal: AbortSignal },
): LineRun => ({ batch, endpoint: runners(batch.endpoint), ...known });

/** Begins the lines of the part in their order, each when it is its turn, and waits for all of them. */
async function runInput(running: RunningPart): Promise<void> {
  const { tools, part, signal } = running;
  const begun: Promise<void>[] = [];
  try {
    const ended = await endedLines(tools, part);
    for await (const line of linesOfPart(tools, part.batch, part)) {
      if (ended.has(line.number)) continue;
      const end = await tools.turns.wait(part.batch.accountId);
      if (end === undefined) running.pause ??= { ms: pauseOf(part.tries) };
      if (end === undefined || running.pause !== undefined || running.isEnding() || signal.aborted) {
        end?.();
        break;
      }
      begun.push(runAndStore(running, line).finally(end));
    }
  } finally {
    await Promise.all(begun);
  }
}

async function endedLines({ database }: Pick<WorkTools, 'database'>, part: HeldPart): Promise<ReadonlySet<number>> {
  const rows = await database.kysely
    .selectFrom('batch_lines')
    .select('line')
    .where('batch_id', '=', part.batch.id)
    .where('line', '>=', part.firstLine)
    .where('line', '<=', part.lastLine)
    .execute();
  return new Set(rows.map(({ line }) => line));
}

/** Never rejects. */
async function runAndStore(running: RunningPart, line: InputLine): Promise<void> {
  try {
    const result = await runPatiently(running, line);
    if ('waits' in result) running.pause = laterOf(running, result);
    else running.writer.add(result);
  } catch (error) {
    // It has no result, so that it is begun again.
    running.pause ??= { ms: pauseOf(running.part.tries) };
    if (!running.signal.aborted) running.tools.events.notWorked(error);
  }
}

/** How often a line waits for a busy process before its part is left. */
const mostBusy = 20;

async function runPatiently(running: RunningPart, line: InputLine): Promise<LineResult | WaitingLine> {
  const { run, part, signal } = running;
  for (let tries = 1; ; tries += 1) {
    const result = await runLine(run, line);
    if (!('waits' in result)) return result;
    if (result.result !== undefined && part.tries >= mostTries) return result.result;
    if (!result.isBusy || tries === mostBusy || running.isEnding() || running.pause !== undefined) return result;
    await pause(spread(result.retryAfterMs), undefined, { signal });
  }
}

/** A provider that fails so often, for a quarter of an hour, has answered. */
const mostTries = 12;
const longestPauseMs = 5 * 60_000;

const pauseOf = (tries: number): number => spread(Math.min(longestPauseMs, 1_000 * 2 ** Math.min(tries, 20)));

/** Lines that were refused together are not tried again together. */
const spread = (ms: number): number => Math.ceil(ms * (1 + Math.random() / 2));

function laterOf({ pause: known, part }: RunningPart, { retryAfterMs, isBusy }: WaitingLine): { ms: number } {
  const ms = isBusy
    ? spread(retryAfterMs)
    : Math.max(pauseOf(part.tries), spread(Math.min(retryAfterMs, longestPauseMs)));
  return { ms: Math.max(known?.ms ?? 0, ms) };
}

const partLost = (): GatewayError => new GatewayError('unavailable', 'Another replica has this part of the batch.');

import type { KeyObject } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { GatewayError, type Principal } from '@tallyport/contracts';
import { repeat } from '@tallyport/service-kit';
import type { InputLine } from '@tallyport/wire';
import { readContentKey } from '../files/content-key.ts';
import { linesOfPart } from '../lines/lines-of-part.ts';
import { storeResults } from './store-results.ts';
import { linesWithResults } from '../results/lines-with-results.ts';
import { onceKeyOf } from '../results/sealed-result.ts';
import type { StoredBatch } from '../batches/stored-batches.ts';
import { forgetAnswers } from './forget-answers.ts';
import { type FollowedLines, followBatches } from './follow-batches.ts';
import { leaveLines } from './leave-lines.ts';
import { callerOfBatch } from './caller-of-batch.ts';
import { endEarly, inputDamaged, keyGone } from './end-early.ts';
import { leasePauseMs } from './lease.ts';
import { longestPauseMs, pauseOf, spread } from './pauses.ts';
import { hasEnded, type HeldPart, leavePart, type LeftPart, renewLease } from './parts.ts';
import { createLineResultWriter, type LineResultWriter } from './line-result-writer.ts';
import { type DeferredLine, type LineResult, type LineRun, runLine, type WaitingLine } from './run-line.ts';
import { LostContent } from '../storage/lost-content.ts';
import type { WorkTools } from './work-tools.ts';

/** What is known of a part while its lines run. */
interface RunningPart {
  tools: WorkTools;
  part: HeldPart;
  writer: LineResultWriter;
  run: LineRun;
  /** Once it is set, no further lines are begun; the rest of the part waits for so long. */
  pauseMs: number | undefined;
  /** Whether a provider has failed at a line. */
  hasFailed: boolean;
  /** The lines that batches of vendors are to answer. */
  left: DeferredLine[];
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
  let isEnding = hasEnded(part);
  const stopRenewing = repeat({ everyMs: leasePauseMs, onFailed: events.notWorked }, async () => {
    const lease = await renewLease(database.kysely, part);
    if (lease === 'lost') own.abort();
    if (lease === 'ending') isEnding = true;
  });
  // A part may take hours, and no line begins once its key is revoked. Another replica sees it by the state of the batch.
  const stopAsking = repeat({ everyMs: leasePauseMs, onFailed: events.notWorked }, async () => {
    if (isEnding || (await callerOfBatch(tools, part.batch)) !== undefined) return;
    isEnding = true;
    await endEarly(database, part.batch, keyGone);
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
    await leaveFailed(tools, part, { error, isStopping: stopping.signal.aborted }).catch(events.notWorked);
  } finally {
    stopRenewing();
    stopAsking();
  }
}

/** An input that cannot be read for so long as a provider may fail ends its batch. */
async function leaveFailed(
  { database }: WorkTools,
  part: HeldPart,
  { error, isStopping }: { error: unknown; isStopping: boolean },
): Promise<void> {
  const isLost = error instanceof LostContent;
  if (isLost && part.tries >= mostTries) await endEarly(database, part.batch, inputDamaged);
  const pauseMs = isStopping ? 0 : pauseOf(part.tries);
  await leavePart(database.kysely, part, { pauseMs, progress: isLost ? 'failed' : 'none' });
}

interface PartControl {
  signal: AbortSignal;
  abort(): void;
  isEnding(): boolean;
}

async function runLines(tools: WorkTools, part: HeldPart, control: PartControl): Promise<LeftPart> {
  const { database } = tools;
  const { batch } = part;
  const caller = await callerOfBatch(tools, batch);
  const isKnown = caller !== undefined;
  if (!isKnown) await endEarly(database, batch, keyGone);
  const principal = caller ?? formerCallerOf(batch);
  const key = await readContentKey(tools, batch);
  const run = runOf(tools, part, { key, principal, signal: control.signal });
  const openWriter = () =>
    createLineResultWriter({
      async store(results) {
        if (!(await storeResults({ database, part, key }, results))) throw partLost();
        const keys = results.map(({ line }) => onceKeyOf({ key, line }));
        void forgetAnswers(run.endpoint, { accountId: batch.accountId, keys });
        tools.events.linesEnded(batch.api, results);
      },
      onFailed: control.abort,
    });
  const running: RunningPart = {
    tools,
    part,
    writer: openWriter(),
    run,
    pauseMs: undefined,
    hasFailed: false,
    left: [],
    isEnding: control.isEnding,
    signal: control.signal,
  };
  const followed = await followBatches({ ...running, openWriter, hasKey: isKnown });
  const stored = await storedOf(running, isKnown ? () => runInput(running, followed) : undefined);
  control.signal.throwIfAborted();
  if (control.isEnding() || !isKnown) return { pauseMs: followed.pauseMs ?? 0, progress: 'some' };
  const openMs = await leaveLines({ ...running, again: followed.again }, running.left);
  return leftOf(running, { stored, vendorMs: least(followed.pauseMs, openMs) });
}

/** How many results are stored. What has a result is stored as well if the rest cannot be read. */
async function storedOf({ writer }: RunningPart, run: (() => Promise<void>) | undefined): Promise<number> {
  try {
    await run?.();
  } catch (error) {
    await writer.close();
    throw error;
  }
  return writer.close();
}

function leftOf(
  { left, pauseMs, hasFailed }: RunningPart,
  { stored, vendorMs }: { stored: number; vendorMs: number | undefined },
): LeftPart {
  const without = hasFailed ? 'failed' : 'none';
  if (pauseMs !== undefined) return { pauseMs, progress: stored + left.length > 0 ? 'some' : without };
  const lookMs = least(vendorMs, left.length > 0 ? firstLookMs : undefined);
  return lookMs === undefined ? { done: true } : { pauseMs: lookMs, progress: 'some' };
}

const least = (...pausesMs: readonly (number | undefined)[]): number | undefined => {
  const known = pausesMs.filter((ms) => ms !== undefined);
  return known.length === 0 ? undefined : Math.min(...known);
};

/** What vendors have of a batch whose key is gone is settled for that key. */
const formerCallerOf = ({ accountId, projectId, keyId }: StoredBatch): Principal => ({
  accountId,
  keyId,
  ...(projectId !== null && { projectId }),
});

const runOf = (
  { runners }: WorkTools,
  { batch }: HeldPart,
  known: { key: KeyObject; principal: Principal; signal: AbortSignal },
): LineRun => ({ batch, endpoint: runners(batch.endpoint), ...known });

/** Begins the lines of the part in their order, each when it is its turn, and waits for all of them. */
async function runInput(running: RunningPart, { elsewhere, tried }: FollowedLines): Promise<void> {
  const { tools, part, signal } = running;
  const begun: Promise<void>[] = [];
  try {
    const ended = await linesWithResults(tools.database.kysely, part);
    for await (const line of linesOfPart(tools, part.batch, part)) {
      if (ended.has(line.number) || elsewhere.has(line.number)) continue;
      const end = await tools.turns.wait(part.batch.accountId);
      if (end === undefined) running.pauseMs ??= pauseOf(part.tries);
      if (end === undefined || running.pauseMs !== undefined || running.isEnding() || signal.aborted) {
        end?.();
        break;
      }
      begun.push(runAndStore(running, line, !tried.has(line.number)).finally(end));
    }
  } finally {
    await Promise.all(begun);
  }
}

/** Never rejects. */
async function runAndStore(running: RunningPart, line: InputLine, mayDefer: boolean): Promise<void> {
  try {
    const result = await runPatiently(running, line, mayDefer || undefined);
    if ('deferred' in result) leave(running, result);
    else if ('waits' in result) wait(running, result);
    else running.writer.add(result);
  } catch (error) {
    // It has no result, so that it is begun again.
    running.pauseMs ??= pauseOf(running.part.tries);
    if (!running.signal.aborted) running.tools.events.notWorked(error);
  }
}

function wait(running: RunningPart, line: WaitingLine): void {
  running.pauseMs = laterOf(running, line);
  running.hasFailed ||= line.result !== undefined;
}

/** Calls of lines are in memory until a batch of their vendor is opened. */
const mostLeftBytes = 16 * 1024 ** 2;
const firstLookMs = 1_000;

/** Lines for which there is no room are left the next time. */
function leave(running: RunningPart, line: DeferredLine): void {
  const bytes = [...running.left, line].reduce((sum, { deferred }) => sum + deferred.body.length, 0);
  if (running.left.length > 0 && bytes > mostLeftBytes) running.pauseMs ??= firstLookMs;
  else running.left.push(line);
}

/** How often a line waits for a busy process before its part is left. */
const mostBusy = 20;

async function runPatiently(
  running: RunningPart,
  line: InputLine,
  mayDefer: true | undefined,
): Promise<LineResult | WaitingLine | DeferredLine> {
  const { run, part, signal } = running;
  for (let tries = 1; ; tries += 1) {
    const result = await runLine(run, line, { mayDefer });
    if (!('waits' in result)) return result;
    if (result.result !== undefined && part.tries >= mostTries) return result.result;
    if (!result.isBusy || tries === mostBusy || running.isEnding() || running.pauseMs !== undefined) return result;
    await pause(spread(result.retryAfterMs), undefined, { signal });
  }
}

/** A provider that fails so often, for a quarter of an hour, has answered, and an input that cannot be read is damaged. */
const mostTries = 12;

function laterOf({ pauseMs = 0, part }: RunningPart, { retryAfterMs, isBusy }: WaitingLine): number {
  const ms = isBusy
    ? spread(retryAfterMs)
    : Math.max(pauseOf(part.tries), spread(Math.min(retryAfterMs, longestPauseMs)));
  return Math.max(pauseMs, ms);
}

const partLost = (): GatewayError => new GatewayError('unavailable', 'Another replica has this part of the batch.');

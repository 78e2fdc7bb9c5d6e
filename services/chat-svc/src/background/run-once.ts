import { type ExchangeAnswer, RequestDismissed } from '@tallyport/bus';
import { type GatewayError, toGatewayError } from '@tallyport/contracts';
import type { Leave } from '@tallyport/limits';
import { carryOut } from './carry-out.ts';
import { countLater } from './count-run.ts';
import { announce, closeRun, openLog, type Stopping, stopRun } from './close-run.ts';
import type { HeldRun } from './held-run.ts';
import {
  runAnswerLost,
  begunTooOften,
  lostWithReplica,
  runTookTooLong,
  requestLost,
  RunCancelled,
  waitedTooLong,
} from './refusals.ts';
import { errorOfRefusal } from './error-of-refusal.ts';
import type { RunForm, RunStop } from './run-form.ts';
import { watchFollower } from './follower.ts';
import type { RunRequest } from './run-request.ts';
import type { RunTools } from './run-tools.ts';

export interface RunningRun {
  held: HeldRun;
  controller: AbortController;
  /** Called directly before a provider is called. */
  onCall(): void;
  /**
   * Called if the run is refused before. Returns whether the refusal is the answer to the client, who does not know the run
   * then.
   */
  onRefused(refusal: ExchangeAnswer | GatewayError): boolean;
}

/** How often a run is begun before it is given up: a request that ends its replica must not end all of them. */
const mostBegun = 3;
/** The pause of a run for which the limits have no room. */
const pauseMs = 1_000;

/** Makes the answer of a run that this replica has, or ends it if that must not be done. */
export async function runOnce(tools: RunTools, running: RunningRun): Promise<void> {
  const { held } = running;
  const form = tools.forms[held.record().api];
  // Of another version, whose replicas know its form.
  if (form === undefined) return held.leave(pauseMs);
  const { log, last } = await openLog(tools, held);
  try {
    const request = await tools.runs.readRequest({ name: held.name, record: held.record() });
    const stopping: Stopping = { form, log, outline: request?.outline ?? {} };
    const seen = last && form.isLast(last) ? form.event(last, stopping.outline) : undefined;
    // The replica that had it died between its last event and its record.
    if (seen?.ending !== undefined) return await closeRun(tools, held, { form, log, ending: seen.ending });
    if (request !== undefined) announce(stopping);
    const reason = await reasonToStop(tools, held, form);
    if (reason instanceof Uint8Array) return await closeRun(tools, held, { form, log, ...endOf(form, reason) });
    if (reason !== undefined) return await stopRun(tools, held, { ...stopping, reason });
    if (request === undefined) return await stopRun(tools, held, { ...stopping, reason: failed(requestLost()) });
    await begin(tools, running, { ...stopping, request });
  } finally {
    log.close();
  }
}

function endOf(form: RunForm, body: Uint8Array) {
  const { event: last, ending } = form.whole(body);
  return { last, ending };
}

const failed = (error: GatewayError): RunStop => ({ kind: 'failed', error });

/** Why the run must not be begun, or begun again. Bytes: its answer is there. */
async function reasonToStop(
  { runs, times, events }: RunTools,
  held: HeldRun,
  form: RunForm,
): Promise<RunStop | Uint8Array | undefined> {
  const { charged, shown, begun, createdAt } = held.record();
  const stored = begun > 0 ? await storedAnswer(form, held) : undefined;
  if (stored !== undefined) return stored;
  if (charged || shown) events.moved('lost');
  if (charged) return failed(runAnswerLost());
  if (shown) return failed(lostWithReplica());
  if (await runs.isCancelled(held.name)) return { kind: 'cancelled' };
  if (begun >= mostBegun) return failed(begunTooOften());
  return begun === 0 && Date.now() - createdAt > times.waitMs ? failed(waitedTooLong()) : undefined;
}

function storedAnswer(form: RunForm, held: HeldRun): Promise<Uint8Array | undefined> {
  const { accountId, project, id } = held.record();
  return form.stored({ accountId, projectId: project ?? undefined }, id);
}

type Beginning = Stopping & { request: RunRequest };

async function begin(tools: RunTools, running: RunningRun, beginning: Beginning): Promise<void> {
  const { held } = running;
  const { form, log, outline, request } = beginning;
  const leave = await enterLimits(tools, running, request);
  if (leave === undefined) return held.leave(pauseMs);
  const { begun } = held.record();
  if (begun > 0) tools.events.moved('taken_over');
  if ((await held.update({ state: 'running', begun: begun + 1 })) === 'taken') return;
  const { queued, begun: first } = form.opening(outline);
  // Another replica may have begun it before.
  if (log.next() === queued.length) log.append(form.numbered(first, log.next()));
  try {
    await carryOutWithin(tools, running, beginning);
  } finally {
    leave();
  }
}

/** `undefined` if the limits on concurrent requests have no room for it. */
async function enterLimits(
  { store, times, enter }: RunTools,
  { held }: RunningRun,
  request: RunRequest,
): Promise<Leave | undefined> {
  const follower = await watchFollower(store, held.name, times.renewEveryMs);
  if (follower !== undefined) {
    const leave = countLater({ enter: () => enter(request), counted: follower.left, pauseMs });
    return () => {
      follower.stop();
      return leave();
    };
  }
  try {
    return await enter(request);
  } catch {
    return undefined;
  }
}

async function carryOutWithin(tools: RunTools, running: RunningRun, beginning: Beginning): Promise<void> {
  const { held, controller, onCall, onRefused } = running;
  // As long as a request with a client may take.
  const lifeMs = Math.min(tools.times.lifeMs, beginning.request.head.timeoutMs);
  const life = setTimeout(() => controller.abort(runTookTooLong()), lifeMs).unref();
  const outcome = await carryOut({ ...beginning, run: held, signal: controller.signal, lifeMs, onCall });
  clearTimeout(life);
  switch (outcome.kind) {
    case 'ended':
      return closeRun(tools, held, { ...beginning, last: outcome.last, ending: outcome.ending });
    case 'refused':
      if (onRefused(outcome.answer)) return drop(tools, held);
      return stopRun(tools, held, { ...beginning, reason: failed(await errorOfRefusal(outcome.answer)) });
    case 'stopped':
      return afterStop(tools, held, { ...beginning, reason: outcome.reason });
    default:
      return outcome satisfies never;
  }
}

/** The client was refused and does not know the run. */
async function drop({ runs, times }: RunTools, held: HeldRun): Promise<void> {
  const run = { name: held.name, record: held.record() };
  await held.end({}, times.leaseMs);
  runs.close(run);
  await runs.drop(run.name);
}

async function afterStop(
  tools: RunTools,
  held: HeldRun,
  { reason: thrown, ...stopping }: Stopping & { reason: unknown },
): Promise<void> {
  if (thrown instanceof RequestDismissed) {
    if (!(await held.isHeld())) return;
    tools.events.moved('handed_over');
    return held.leave(0);
  }
  // Clients could have it, so it is not cancelled any more.
  const stored = await storedAnswer(stopping.form, held);
  if (stored !== undefined) return closeRun(tools, held, { ...stopping, ...endOf(stopping.form, stored) });
  const reason: RunStop = thrown instanceof RunCancelled ? { kind: 'cancelled' } : failed(toGatewayError(thrown));
  await stopRun(tools, held, { ...stopping, reason });
}

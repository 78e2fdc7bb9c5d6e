import { setTimeout as pause } from 'node:timers/promises';
import { linesOfPart } from '../lines/lines-of-part.ts';
import { GatewayError } from '@tallyport/contracts';
import type { InputLine } from '@tallyport/wire';
import { linesWithResults } from '../results/lines-with-results.ts';
import { type LineResult, type LineRun, runLine } from './run-line.ts';
import { type HeldPart, hasEnded } from './parts.ts';
import type { LineResultWriter } from './line-result-writer.ts';
import type { WorkTools } from './work-tools.ts';
import { linesById, type BatchAtVendor } from '../vendors/batch-at-vendor.ts';
import { answeredVendorBatch, type AnsweredVendorBatch, setVendorBatch, vendorBatchesOf } from './vendor-batches.ts';
import { openingMs } from '../vendors/vendor-client.ts';
import { longestPauseMs } from './pauses.ts';

interface FollowedPart {
  tools: WorkTools;
  part: HeldPart;
  run: LineRun;
  openWriter(): LineResultWriter;
  /** False if the key of the batch is gone. */
  hasKey: boolean;
  signal: AbortSignal;
}

export interface FollowedLines {
  /** Those that may still get a result from a vendor. */
  elsewhere: ReadonlySet<number>;
  /** Those that were in a batch of a vendor: they run here, if they have no result. */
  tried: ReadonlySet<number>;
  /** Those that vendors could not open before, and that are due. */
  again: readonly BatchAtVendor[];
  /** When to look again; absent if no vendor has a line. */
  pauseMs: number | undefined;
}

/** Looks at the batches of the part at vendors, and settles the answers of those that are over. */
export async function followBatches(followed: FollowedPart): Promise<FollowedLines> {
  const elsewhere = new Set<number>();
  const tried = new Set<number>();
  const again: BatchAtVendor[] = [];
  let pauseMs: number | undefined;
  for (const batch of await vendorBatchesOf(followed.tools.database.kysely, followed.part)) {
    followed.signal.throwIfAborted();
    const state = batch.state === 'over' ? 'over' : await follow(followed, batch);
    if (state === 'due') again.push(batch);
    else for (const line of batch.lines) (state === 'over' ? tried : elsewhere).add(line);
    if (state === 'open') pauseMs = Math.min(pauseMs ?? Infinity, pauseUntilLook(batch));
  }
  return { elsewhere, tried, again, pauseMs };
}

const shortestPauseMs = 1_000;
/** The longer it takes, the less often it is looked at. */
const pauseUntilLook = ({ ageMs, waitMs }: BatchAtVendor): number =>
  waitMs > 0 ? waitMs : Math.min(longestPauseMs, Math.max(shortestPauseMs, ageMs / 5));

/** Longer than the window of any vendor: its answers are given up. */
const longestMs = 26 * 3_600_000;
/** A vendor that has cancelled a batch answers within minutes. */
const longestAfterEndMs = 3_600_000;
/** How long a list of a vendor may lack a batch that was opened. */
const listingMs = 60_000;

function isGivenUp({ part }: FollowedPart, { ageMs }: BatchAtVendor): boolean {
  const { cancellingAt, expiresAt } = part.batch;
  const endedAt = cancellingAt ?? expiresAt;
  return ageMs > longestMs || Date.now() - endedAt.getTime() > longestAfterEndMs;
}

/** `open`: the vendor may still answer its lines. `due`: the vendor does not have it, and is asked again now. */
type FollowedState = 'open' | 'due' | 'over';

/** If it is over, its answers are settled. */
async function follow(followed: FollowedPart, batch: BatchAtVendor): Promise<FollowedState> {
  try {
    const state = batch.state === 'waiting' ? waitingState(followed, batch) : await settleIfOver(followed, batch);
    if (state === 'due' || (state === 'open' && !isGivenUp(followed, batch))) return state;
  } catch (error) {
    followed.signal.throwIfAborted();
    followed.tools.events.notWorked(error);
    const isGone = error instanceof GatewayError && error.code === 'not_found';
    if (!isGone && !isGivenUp(followed, batch)) return 'open';
  }
  await setVendorBatch(followed.tools.database, batch, { state: 'over' });
  return 'over';
}

/** Lines that no vendor has by then run here. */
const lastHourMs = 3_600_000;

/** Of a batch that the vendor does not have. */
function waitingState({ part }: FollowedPart, { waitMs }: BatchAtVendor): FollowedState {
  if (hasEnded(part) || part.batch.expiresAt.getTime() - Date.now() < lastHourMs) return 'over';
  return waitMs > 0 ? 'open' : 'due';
}

async function settleIfOver(followed: FollowedPart, batch: BatchAtVendor): Promise<FollowedState> {
  const { tools, run } = followed;
  const known = batch.state === 'opening' ? await find(followed, batch) : batch;
  if (known === undefined) return 'open';
  if (known.state === 'waiting') return waitingState(followed, known);
  const own = { batch: known, principal: run.principal };
  if (hasEnded(followed.part)) await tools.vendors.cancel(own).catch(tools.events.notWorked);
  if (!(await tools.vendors.isOver(own))) return 'open';
  await settleResults(followed, await answeredVendorBatch(tools.database, known));
  return 'over';
}

/** Whether the vendor has a batch whose opening was not confirmed; `undefined` if that is not known yet. */
async function find({ tools, run }: FollowedPart, batch: BatchAtVendor): Promise<BatchAtVendor | undefined> {
  const found = await tools.vendors.find({ batch, principal: run.principal });
  if (found.kind === 'open') {
    await setVendorBatch(tools.database, batch, { state: 'open', vendorId: found.id });
    return { ...batch, state: 'open', vendorId: found.id };
  }
  if (found.kind === 'unsure' || batch.ageMs < openingMs + listingMs) return undefined;
  await setVendorBatch(tools.database, batch, { state: 'waiting' });
  return { ...batch, state: 'waiting', waitMs: 0 };
}

/** The batch is over once the answers are stored: after a death they are read again, and paid once. */
async function settleResults(followed: FollowedPart, batch: AnsweredVendorBatch): Promise<void> {
  const { tools, part, run, openWriter, signal } = followed;
  const ended = await linesWithResults(tools.database.kysely, part);
  const numbers = linesById(batch);
  const here = new Set(batch.lines);
  const lines = new Map<number, InputLine>();
  for await (const line of linesOfPart(tools, part.batch, part))
    if (here.has(line.number)) lines.set(line.number, line);
  const settled = new Set<number>();
  const writer = openWriter();
  try {
    for await (const { id, body } of tools.vendors.results({ batch, principal: run.principal }, signal)) {
      const line = lines.get(numbers.get(id) ?? 0);
      if (line === undefined || body === undefined || ended.has(line.number) || settled.has(line.number)) continue;
      const result = await settleLine(run, line, { batch, answer: Buffer.from(body) });
      if (result === undefined) continue;
      // Without its key, an answer is paid for, but has not passed the guardrails of the account.
      if (followed.hasKey) writer.add(result);
      settled.add(line.number);
    }
  } finally {
    await writer.close();
  }
  await setVendorBatch(tools.database, batch, { state: 'over' });
}

const mostTries = 20;

/** `undefined` if nothing can be made of the answer: the line runs here. Throws if that is not known now. */
async function settleLine(
  run: LineRun,
  line: InputLine,
  { batch: { providerId, model, key, answeredAt }, answer }: { batch: AnsweredVendorBatch; answer: Buffer },
): Promise<LineResult | undefined> {
  const answered = { providerId, model, key, answer, answeredAt };
  for (let tries = 1; ; tries += 1) {
    const result = await runLine(run, line, { answered });
    if ('deferred' in result) return undefined;
    if (!('waits' in result)) return result;
    if (result.result !== undefined) return undefined;
    if (tries === mostTries) throw new TypeError('chat-svc cannot take the answers of a vendor now.');
    await pause(result.retryAfterMs, undefined, { signal: run.signal });
  }
}

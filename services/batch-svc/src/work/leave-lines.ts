import { GatewayError, type OpenedBatchOfVendor } from '@tallyport/contracts';
import { type BatchAtVendor, lineIdOf } from '../vendors/batch-at-vendor.ts';
import type { HeldPart } from './parts.ts';
import type { DeferredLine, LineRun } from './run-line.ts';
import {
  beginVendorBatch,
  dropVendorBatch,
  postponeVendorBatch,
  reopenVendorBatch,
  setVendorBatch,
} from './vendor-batches.ts';
import type { WorkTools } from './work-tools.ts';

interface LeavingPart {
  tools: WorkTools;
  part: HeldPart;
  run: LineRun;
  /** Batches that vendors could not open before. */
  again: readonly BatchAtVendor[];
}

/**
 * Opens a batch at each vendor for the lines that it can answer; one that could not be opened before has its name again. Lines of
 * a batch that the vendor refuses run here next time. Returns when the first one is to be opened again; `undefined` if none is.
 */
export async function leaveLines(leaving: LeavingPart, left: readonly DeferredLine[]): Promise<number | undefined> {
  const { tools, again } = leaving;
  const unused = new Set(again);
  let pauseMs: number | undefined;
  for (const lines of groupsOf(left, again)) {
    const former = again.find((batch) => isOf(batch, lines[0]));
    if (former !== undefined) unused.delete(former);
    const batch = await beginBatch(leaving, { lines, former });
    if (batch === undefined) return undefined;
    const { kind } = await openAtVendor(leaving, batch, lines);
    if (kind === 'none') pauseMs = Math.min(pauseMs ?? Infinity, await postponeVendorBatch(tools.database, batch));
  }
  for (const batch of unused) await dropVendorBatch(tools.database, batch);
  return pauseMs;
}

interface GroupOfLines {
  lines: readonly DeferredLine[];
  former: BatchAtVendor | undefined;
}

/** `undefined` if another replica has the part. */
async function beginBatch(
  { tools, part }: LeavingPart,
  { lines, former }: GroupOfLines,
): Promise<BatchAtVendor | undefined> {
  const [first] = lines;
  const numbers = lines.map(({ line }) => line);
  if (first === undefined) return undefined;
  if (former !== undefined) return reopenVendorBatch(tools.database, part, { batch: former, lines: numbers });
  return beginVendorBatch(tools.database, part, { call: first.deferred, lines: numbers });
}

async function openAtVendor(
  { tools, run }: LeavingPart,
  batch: BatchAtVendor,
  lines: readonly DeferredLine[],
): Promise<OpenedBatchOfVendor> {
  const own = { batch, principal: run.principal };
  const sent = lines.map(({ line, deferred }) => ({ id: lineIdOf(batch, line), body: deferred.body }));
  const opened = await tools.vendors.open(own, sent).catch((error: unknown) => {
    tools.events.notWorked(error);
    return { kind: kindAfter(error) };
  });
  if (opened.kind === 'open') await setVendorBatch(tools.database, batch, { state: 'open', vendorId: opened.id });
  if (opened.kind === 'refused') await setVendorBatch(tools.database, batch, { state: 'over' });
  return opened;
}

/** Before the vendor is asked, chat-svc may have no room for the lines. */
function kindAfter(error: unknown): 'none' | 'refused' | 'unsure' {
  if (!(error instanceof GatewayError)) return 'unsure';
  if (error.code === 'request_too_large') return 'refused';
  return error.code === 'overloaded' ? 'none' : 'unsure';
}

/** Whether it was to have the line. */
function isOf({ providerId, key, model, endpoint, lines }: BatchAtVendor, line: DeferredLine | undefined): boolean {
  if (line === undefined || !lines.includes(line.line)) return false;
  const { deferred } = line;
  return JSON.stringify([providerId, key, model, endpoint]) === placeOf(deferred);
}

const placeOf = ({ providerId, key, model, endpoint }: DeferredLine['deferred']): string =>
  JSON.stringify([providerId, key, model, endpoint]);

/** Lines that one batch of a vendor takes together: those of one that is opened again stay together. */
function groupsOf(left: readonly DeferredLine[], again: readonly BatchAtVendor[]): DeferredLine[][] {
  const nameOf = (line: DeferredLine): string => again.find((batch) => isOf(batch, line))?.id ?? '';
  const groups = Map.groupBy(left, (line) => `${nameOf(line)} ${placeOf(line.deferred)}`);
  return [...groups.values()];
}

import { GatewayError } from '@tallyport/contracts';
import type { WorkTools } from './work-tools.ts';
import type { DeferredLine, LineRun } from './run-line.ts';
import type { HeldPart } from './parts.ts';
import { lineIdOf } from '../vendors/batch-at-vendor.ts';
import { beginVendorBatch, setVendorBatch } from './vendor-batches.ts';

interface LeavingPart {
  tools: WorkTools;
  part: HeldPart;
  run: LineRun;
}

/** Opens a batch at each vendor for the lines that it can answer. Those that it does not take run here next time. */
export async function leaveLines({ tools, part, run }: LeavingPart, left: readonly DeferredLine[]): Promise<void> {
  for (const lines of groupsOf(left)) {
    const [first] = lines;
    if (first === undefined) continue;
    const batch = await beginVendorBatch(tools.database, part, {
      call: first.deferred,
      lines: lines.map(({ line }) => line),
    });
    if (batch === undefined) return;
    const own = { batch, principal: run.principal };
    const sent = lines.map(({ line, deferred }) => ({ id: lineIdOf(batch, line), body: deferred.body }));
    const opened = await tools.vendors.open(own, sent).catch((error: unknown) => {
      tools.events.notWorked(error);
      return { kind: isBeforeOpening(error) ? ('none' as const) : ('unsure' as const) };
    });
    if (opened.kind === 'open') await setVendorBatch(tools.database, batch, { state: 'open', vendorId: opened.id });
    if (opened.kind === 'none') await setVendorBatch(tools.database, batch, { state: 'over' });
  }
}

/** chat-svc has no room for the lines. */
const isBeforeOpening = (error: unknown): boolean =>
  error instanceof GatewayError && (error.code === 'overloaded' || error.code === 'request_too_large');

/** Lines that one batch of a vendor takes together. */
function groupsOf(left: readonly DeferredLine[]): DeferredLine[][] {
  const groups = Map.groupBy(left, ({ deferred: { providerId, key, model, endpoint } }) =>
    JSON.stringify([providerId, key, model, endpoint]),
  );
  return [...groups.values()];
}

import { type BatchedCall, GatewayError } from '@tallyport/contracts';
import { createPools, type Pools } from '@tallyport/outbound';
import { findChatProvider, type VendorBatch, type VendorLine, type VendorBatchResult } from '@tallyport/providers';
import type { AccountTargets } from '../targets/account-targets.ts';
import type { OwnRequest } from '../targets/request-to.ts';
import { targetByKey } from '../targets/target-key.ts';
import type { Targets } from '../targets/targets.ts';
import { askAgain, usualPausesMs } from './ask-again.ts';
import { askVendor, type BatchVendor, UnclearCall } from './batch-http.ts';
import { readResults } from './read-results.ts';

/** Where the batches of a group of calls are. */
export interface BatchPlace extends Pick<BatchedCall, 'providerId' | 'key'> {
  /** How the account reaches providers, if it has keys of its own. */
  account?: Pick<AccountTargets, 'all'> | undefined;
}

interface GroupOfLines {
  /** Unique; the ids of its lines begin with it. */
  name: string;
  lines: readonly VendorLine[];
}

/** A batch whose opening may have failed. */
interface LookedFor {
  name: string;
  /** It was not opened before this time, nor later than `longestMs` after it. */
  sinceMs: number;
  longestMs: number;
}

/**
 * `none`: it is not open, because of a moment's trouble if it was to be opened. `refused`: the vendor does not take it.
 * `unsure`: the vendor may have opened it, and must be asked again.
 */
export type OpenedVendorBatch =
  | { kind: 'open'; batch: VendorBatch }
  | { kind: 'none' | 'refused' | 'unsure'; error?: GatewayError };

/** The batches of vendors: one interface to all of them. */
export interface VendorBatches {
  /** Opens a batch. Never throws. */
  open(place: BatchPlace, group: GroupOfLines): Promise<OpenedVendorBatch>;
  /** Finds a batch whose opening was not confirmed. Throws if the vendor does not answer. */
  find(place: BatchPlace, looked: LookedFor): Promise<OpenedVendorBatch>;
  /** Throws GatewayError, also if the vendor does not know it. */
  look(place: BatchPlace, id: string): Promise<VendorBatch>;
  /** The results of a batch that is over, in any order; of lines without a result there is none. Throws GatewayError. */
  results(place: BatchPlace, id: string, signal?: AbortSignal): AsyncGenerator<VendorBatchResult>;
  /** Lines that are being answered may still be. Throws GatewayError. */
  cancel(place: BatchPlace, id: string): Promise<void>;
  close(): Promise<void>;
}

interface VendorBatchesOptions {
  targets: Pick<Targets, 'all'>;
  /** The longest line of results that is read. */
  maxResponseBytes?: number | undefined;
  /** How often, and after which pauses, a vendor with too many requests is asked to open a batch. */
  pausesMs?: readonly number[];
}

const connectMs = 5_000;
const defaultMaxResponseBytes = 128 * 1024 * 1024;
/** Clocks of vendors differ by less. */
const clockMs = 5 * 60_000;
/** Pages of a vendor's list that are read; an installation has not opened more batches within minutes. */
const mostPages = 20;

export function createVendorBatches(options: VendorBatchesOptions): VendorBatches {
  const { targets, maxResponseBytes = defaultMaxResponseBytes, pausesMs = usualPausesMs } = options;
  const pools = createPools({ connectMs });
  const vendorAt = ({ providerId, key, account }: BatchPlace): BatchVendor => {
    const provider = findChatProvider(providerId);
    const target = targetByKey((account ?? targets).all(providerId), key);
    if (provider?.batches === undefined || target === undefined) throw noVendor(providerId);
    return { provider, format: provider.batches, target };
  };
  const look = async (place: BatchPlace, id: string): Promise<VendorBatch> => {
    const vendor = vendorAt(place);
    return readBatch(vendor, await askVendor(pools, vendor, vendor.format.get(id)));
  };
  async function* results(
    place: BatchPlace,
    batch: VendorBatch,
    signal?: AbortSignal,
  ): AsyncGenerator<VendorBatchResult> {
    const vendor = vendorAt(place);
    for (const at of batch.results) yield* readResults(pools, { vendor, at, maxBytes: maxResponseBytes, signal });
  }
  return {
    open: (place, group) => openBatch({ pools, pausesMs, vendorOf: () => vendorAt(place) }, group),
    find: (place, looked) =>
      findBatch({ pools, vendor: vendorAt(place), results: (batch) => results(place, batch) }, looked),
    look,
    async *results(place, id, signal) {
      yield* results(place, await look(place, id), signal);
    },
    async cancel(place, id) {
      const vendor = vendorAt(place);
      await askVendor(pools, vendor, vendor.format.cancel(id));
    },
    close: () => pools.close(),
  };
}

const noVendor = (providerId: string): GatewayError =>
  new GatewayError('not_found', `There is no key for batches of ${providerId}.`);

function readBatch({ provider, format }: BatchVendor, body: unknown): VendorBatch {
  const batch = format.batch(body);
  if (batch !== undefined) return batch;
  throw new UnclearCall('upstream_error', `${provider.id} sent an answer about a batch that cannot be read.`);
}

interface Opening {
  pools: Pools;
  pausesMs: readonly number[];
  vendorOf(): BatchVendor;
}

/** A file without a batch costs nothing and expires, so only the second step can leave something behind. */
async function openBatch({ pools, pausesMs, vendorOf }: Opening, group: GroupOfLines): Promise<OpenedVendorBatch> {
  let isOpening = false;
  try {
    const vendor = vendorOf();
    const ask = (request: OwnRequest): Promise<unknown> => askAgain(() => askVendor(pools, vendor, request), pausesMs);
    const { format } = vendor;
    const lines = group.lines.map(format.line);
    const order = { name: group.name, endpoint: group.lines[0]?.endpoint ?? '', lines };
    const upload = format.upload?.(order);
    const fileId = upload && format.fileId(await ask(upload));
    isOpening = true;
    return { kind: 'open', batch: readBatch(vendor, await ask(format.create({ ...order, fileId }))) };
  } catch (thrown) {
    if (!(thrown instanceof GatewayError)) throw thrown;
    if (isOpening && thrown instanceof UnclearCall) return { kind: 'unsure', error: thrown };
    return { kind: isRefusal(thrown) ? 'refused' : 'none', error: thrown };
  }
}

const [timedOut, conflict, early, tooMany] = [408, 409, 425, 429];
/** What only time mends. */
const passing: ReadonlySet<number> = new Set([timedOut, conflict, early, tooMany]);

/** A key that is missing or refused has no status. */
function isRefusal({ code, provider }: GatewayError): boolean {
  const status = provider?.status ?? 0;
  if (status === 0) return code === 'not_found' || code === 'upstream_auth';
  return status >= 400 && status < 500 && !passing.has(status);
}

interface Finding {
  pools: Pools;
  vendor: BatchVendor;
  results(batch: VendorBatch): AsyncGenerator<VendorBatchResult>;
}

/** By its name or, at a vendor without names, by the ids of its results, once it has some. */
async function findBatch(finding: Finding, { name, sinceMs, longestMs }: LookedFor): Promise<OpenedVendorBatch> {
  const { pools, vendor } = finding;
  const { format } = vendor;
  let next: string | undefined;
  let isUnsure = false;
  for (let pages = 0; pages < mostPages; pages += 1) {
    const page = format.page(await askVendor(pools, vendor, format.list(next)), next);
    const isNew = ({ createdAtMs }: VendorBatch): boolean => createdAtMs >= sinceMs - clockMs;
    const named = page.batches.find((batch) => batch.name === name && isNew(batch));
    if (named !== undefined) return { kind: 'open', batch: named };
    for (const batch of page.batches) {
      if (!isNew(batch)) return { kind: isUnsure ? 'unsure' : 'none' };
      if (format.keepsNames || batch.createdAtMs > sinceMs + longestMs + clockMs) continue;
      const isThis = await hasResultsOf(finding, batch, name);
      if (isThis === true) return { kind: 'open', batch };
      isUnsure ||= isThis === undefined;
    }
    ({ next } = page);
    if (next === undefined) return { kind: isUnsure ? 'unsure' : 'none' };
  }
  return { kind: 'unsure' };
}

/** `undefined` if that is not known yet. */
async function hasResultsOf({ results }: Finding, batch: VendorBatch, name: string): Promise<boolean | undefined> {
  if (!batch.isOver) return undefined;
  for await (const { id } of results(batch)) return id.startsWith(name);
  return false;
}

import { type Client, createClient, type Link } from '@tallyport/bus';
import {
  chatService,
  GatewayError,
  type OpenedBatchOfVendor,
  openedVendorBatchSchema,
  type Principal,
  vendorBatchLineSchema,
} from '@tallyport/contracts';
import { readLines } from '@tallyport/wire';
import type { BatchAtVendor } from './batch-at-vendor.ts';

/** A batch at a vendor, as the caller whose lines it has. */
interface OwnVendorBatch {
  batch: BatchAtVendor;
  principal: Principal;
}

/** A line of a vendor's batch: the request that it sends, or the answer; absent if there is none. */
interface VendorLine {
  id: string;
  body?: string | undefined;
}

/** Batches at vendors, which chat-svc reaches. */
export interface VendorClient {
  /** What happened if this throws is not known. */
  open(own: OwnVendorBatch, lines: readonly VendorLine[]): Promise<OpenedBatchOfVendor>;
  /** Throws if the vendor does not answer. */
  find(own: OwnVendorBatch): Promise<OpenedBatchOfVendor>;
  isOver(own: OwnVendorBatch): Promise<boolean>;
  cancel(own: OwnVendorBatch): Promise<void>;
  results(own: OwnVendorBatch, signal: AbortSignal): AsyncGenerator<VendorLine>;
}

/** As long as a vendor may take to open a batch. */
export const openingMs = 240_000;
const callMs = 60_000;
const resultsMs = 15 * 60_000;
/** Larger than any answer, as JSON in JSON. */
const mostLineBytes = 512 * 1024 ** 2;

export function openVendorClient(link: Link): VendorClient {
  const chat = createClient(link, chatService);
  return {
    open: (own, lines) => open(chat, own, lines),
    find(own) {
      const { id: name, openedAt } = own.batch;
      const looked = { name, sinceMs: openedAt.getTime(), longestMs: openingMs };
      return chat.findVendorBatch({ ...placeOf(own), ...looked }, { timeoutMs: callMs });
    },
    async isOver(own) {
      const { isOver } = await chat.lookVendorBatch(knownOf(own), { timeoutMs: callMs });
      return isOver;
    },
    cancel: async (own) => void (await chat.cancelVendorBatch(knownOf(own), { timeoutMs: callMs })),
    async *results(own, signal) {
      const head = headOf(own, resultsMs);
      const { body } = await chat.vendorBatchResults({ head, body: Buffer.from(JSON.stringify(knownOf(own))), signal });
      const bounds = { maxBytes: mostLineBytes, tooLong: () => new TypeError('A result is too long.') };
      for await (const { bytes } of readLines(body, bounds))
        yield vendorBatchLineSchema.parse(JSON.parse(bytes.toString()));
    },
  };
}

function knownOf(own: OwnVendorBatch) {
  const { vendorId } = own.batch;
  if (vendorId === null) throw new GatewayError('internal_error', 'A batch at a vendor has no id yet.');
  return { ...placeOf(own), id: vendorId };
}

/** The vendor, and what finds the keys of the account for it. */
const placeOf = ({ batch: { providerId, key }, principal }: OwnVendorBatch) => {
  const { accountId, keyId, providerKeys } = principal;
  return { principal: { accountId, keyId, ...(providerKeys && { providerKeys }) }, providerId, key };
};

const headOf = ({ batch, principal }: OwnVendorBatch, timeoutMs: number) => ({
  requestId: `vendor-batch-${batch.id}`,
  principal,
  timeoutMs,
  headers: {},
});

async function open(
  chat: Client<typeof chatService.operations>,
  own: OwnVendorBatch,
  lines: readonly VendorLine[],
): Promise<OpenedBatchOfVendor> {
  const { id: name, endpoint } = own.batch;
  const order = { ...placeOf(own), name, endpoint };
  const rows = [order, ...lines].map((row) => `${JSON.stringify(row)}\n`);
  const { body } = await chat.openVendorBatch({ head: headOf(own, openingMs), body: Buffer.from(rows.join('')) });
  return openedVendorBatchSchema.parse(JSON.parse(Buffer.from(await body.bytes()).toString()));
}

import type { ExchangeHandler } from '@tallyport/bus';
import {
  GatewayError,
  type OpenedBatchOfVendor,
  type Principal,
  vendorBatchLineSchema,
  type VendorBatchOrder,
  vendorBatchOrderSchema,
  vendorBatchSchema,
} from '@tallyport/contracts';
import {
  type BatchPlace,
  createVendorBatches,
  type DispatchOptions,
  type OpenedVendorBatch,
  type PlanGround,
} from '@tallyport/dispatch';
import type { ByteBudget } from '@tallyport/serving';
import { holdBody } from '@tallyport/serving/replay';
import { jsonAnswer } from '../answer/json-answer.ts';

interface VendorBatchTools {
  dispatchOptions: DispatchOptions;
  groundFor(principal: Principal | undefined): Promise<PlanGround>;
  budget: ByteBudget;
}

/** Larger than what batch-svc gathers for one. */
const mostOrderBytes = 128 * 1024 ** 2;

interface AskedPlace {
  principal: Pick<Principal, 'accountId' | 'keyId' | 'providerKeys'>;
  providerId: string;
  key: string;
}

/** How batch-svc opens batches at vendors and follows them. */
export function openVendorBatches({ dispatchOptions, groundFor, budget }: VendorBatchTools) {
  const batches = createVendorBatches(dispatchOptions);
  const placeOf = async ({ principal, providerId, key }: AskedPlace): Promise<BatchPlace> => {
    const { account } = await groundFor(principal);
    return { providerId, key, account };
  };
  const open: ExchangeHandler = async (exchange) => {
    const held = await holdBody(exchange, { maxBodyBytes: mostOrderBytes, lease: () => budget.lease() });
    try {
      const { order, lines } = orderIn(held.body);
      const opened = await batches.open(await placeOf(order), { name: order.name, lines });
      return jsonAnswer(asOpened(opened));
    } finally {
      held.release();
    }
  };
  const results: ExchangeHandler = async ({ body, signal }) => {
    const { id, ...asked } = vendorBatchSchema.parse(JSON.parse(Buffer.from(await body.bytes()).toString()));
    const rows = batches.results(await placeOf(asked), id, signal);
    return { head: { status: 200, headers: { 'content-type': 'application/jsonl' } }, body: jsonLines(rows) };
  };
  return {
    handlers: {
      openVendorBatch: open,
      findVendorBatch: async ({
        name,
        sinceMs,
        longestMs,
        ...asked
      }: AskedPlace & Parameters<typeof batches.find>[1]) =>
        asOpened(await batches.find(await placeOf(asked), { name, sinceMs, longestMs })),
      async lookVendorBatch({ id, ...asked }: AskedPlace & { id: string }) {
        const { isOver } = await batches.look(await placeOf(asked), id);
        return { isOver };
      },
      async cancelVendorBatch({ id, ...asked }: AskedPlace & { id: string }) {
        await batches.cancel(await placeOf(asked), id);
        return {};
      },
      vendorBatchResults: results,
    },
    close: batches.close,
  };
}

const asOpened = (opened: OpenedVendorBatch): OpenedBatchOfVendor =>
  opened.kind === 'open' ? { kind: 'open', id: opened.batch.id } : { kind: opened.kind };

interface OrderedLines {
  order: VendorBatchOrder;
  lines: { id: string; endpoint: string; body: string }[];
}

function orderIn({ buffer, byteOffset, byteLength }: Uint8Array): OrderedLines {
  const [first = '', ...rows] = Buffer.from(buffer, byteOffset, byteLength).toString().trimEnd().split('\n');
  const order = vendorBatchOrderSchema.parse(JSON.parse(first));
  const lines = rows.map((row) => {
    const { id, body: request } = vendorBatchLineSchema.parse(JSON.parse(row));
    if (request === undefined) throw new GatewayError('internal_error', 'A line of a batch has no request.');
    return { id, endpoint: order.endpoint, body: request };
  });
  return { order, lines };
}

async function* jsonLines(rows: AsyncIterable<object>): AsyncGenerator<Buffer> {
  for await (const row of rows) yield Buffer.from(`${JSON.stringify(row)}\n`);
}

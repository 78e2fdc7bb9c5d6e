import { bodyChunks, type Pools, readAll, UpstreamFailure } from '@tallyport/outbound';
import type { VendorBatchResult, VendorResultPage } from '@tallyport/providers';
import { parseExactJson, readLines } from '@tallyport/wire';
import { type BatchVendor, openBody } from './batch-http.ts';

interface ResultsPlace {
  vendor: BatchVendor;
  /** As the batch names it. */
  at: string;
  /** The longest line that is read. */
  maxBytes: number;
  signal?: AbortSignal | undefined;
}

const resultLimits = { deadlineMs: 600_000, maxBytes: 4 * 1024 ** 3 };
/** More than the lines of any batch here. */
const mostPages = 1_000;

/** The results at a place, as a row in each line or in pages. Throws GatewayError. */
export async function* readResults(pools: Pools, place: ResultsPlace): AsyncGenerator<VendorBatchResult> {
  const { format } = place.vendor;
  for await (const row of format.resultPage === undefined ? rowsOfLines(pools, place) : rowsOfPages(pools, place)) {
    const result = format.result(row);
    if (result !== undefined) yield result;
  }
}

async function* rowsOfLines(pools: Pools, { vendor, at, maxBytes, signal }: ResultsPlace): AsyncGenerator<unknown> {
  const opened = { vendor, request: vendor.format.results(at), limits: resultLimits, signal };
  const { body, close } = await openBody(pools, opened);
  const tooLong = (): Error => new UpstreamFailure('too_large', `sent a line of more than ${maxBytes} bytes`);
  try {
    for await (const { bytes } of readLines(bodyChunks(body), { maxBytes, tooLong }))
      yield parseExactJson(bytes.toString());
  } finally {
    close();
  }
}

async function* rowsOfPages(pools: Pools, place: ResultsPlace): AsyncGenerator<unknown> {
  let next: string | undefined;
  for (let pages = 0; pages < mostPages; pages += 1) {
    const page = await readPage(pools, place, next);
    yield* page?.rows ?? [];
    next = page?.next;
    if (next === undefined) return;
  }
  throw new UpstreamFailure('too_large', `sent more than ${mostPages} pages`);
}

/** A page may be as long as a line. */
async function readPage(
  pools: Pools,
  { vendor, at, maxBytes, signal }: ResultsPlace,
  next: string | undefined,
): Promise<VendorResultPage | undefined> {
  const { format } = vendor;
  const limits = { ...resultLimits, maxBytes };
  const { body, close } = await openBody(pools, { vendor, request: format.results(at, next), limits, signal });
  try {
    return format.resultPage?.(parseExactJson((await readAll(body)).toString()));
  } finally {
    close();
  }
}

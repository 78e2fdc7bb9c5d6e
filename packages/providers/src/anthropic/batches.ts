import { getting, pageUpToLast, posting } from '../batches/batch-requests.ts';
import { members, text } from '../read.ts';
import type { BatchFormat, VendorBatch } from '../spec/batch-format.ts';
import { anthropicVersion } from './native-fit.ts';

const root = '/messages/batches';
const headers = { 'anthropic-version': anthropicVersion };
const place = (id: string): string => `${root}/${encodeURIComponent(id)}`;

/** Anthropic's Message Batches, which have no names. */
export const anthropicBatches: BatchFormat = {
  keepsNames: false,
  headers: new Set(['accept', 'anthropic-version', 'content-type']),
  endpointOf: (path) => (path === '/messages' ? path : undefined),
  line: ({ id, body }) => `{"custom_id":${JSON.stringify(id)},"params":${body}}`,
  create: ({ lines }) => posting(root, requestsOf(lines), headers),
  get: (id) => getting(place(id), headers),
  cancel: (id) => ({ ...getting(`${place(id)}/cancel`, headers), method: 'POST' }),
  list: (after) =>
    getting(`${root}?limit=100${after === undefined ? '' : `&after_id=${encodeURIComponent(after)}`}`, headers),
  results: (id) => getting(`${place(id)}/results`, headers),
  fileId: () => undefined,
  batch: batchOf,
  page: (body) => pageUpToLast(body, batchOf),
  result(row) {
    const { custom_id: id, result } = members(row);
    const known = text(id);
    const { type, message } = members(result);
    return known === undefined
      ? undefined
      : { id: known, body: type === 'succeeded' ? JSON.stringify(message) : undefined };
  },
};

function batchOf(body: unknown): VendorBatch | undefined {
  const { id, created_at: created, processing_status: status } = members(body);
  const known = text(id);
  if (known === undefined) return undefined;
  const isOver = status === 'ended';
  const createdAtMs = Date.parse(String(created));
  return { id: known, name: undefined, createdAtMs, isOver, results: isOver ? [known] : [] };
}

function requestsOf(lines: readonly string[]): Buffer[] {
  const written = lines.map((line, at) => Buffer.from(at === 0 ? line : `,${line}`));
  return [Buffer.from('{"requests":['), ...written, Buffer.from(']}')];
}

import { getting, posting } from '../batches/batch-requests.ts';
import { keptSeconds, openAiLine, uploadedFileId, uploadOfLines } from '../batches/line-files.ts';
import { finiteNumber, items, members, text } from '../read.ts';
import type { BatchFormat, VendorBatch } from '../spec/batch-format.ts';

const root = '/batches';
const place = (id: string): string => `${root}/${encodeURIComponent(id)}`;

/** xAI's batches. They end when no request is pending any more, and have no state of their own. */
export const xaiBatches: BatchFormat = {
  keepsNames: true,
  headers: new Set(['accept', 'content-type']),
  endpointOf: (path) => (path === '/chat/completions' ? `/v1${path}` : undefined),
  line: openAiLine,
  // The vendor refuses an expiry that follows the file.
  upload: (order) => uploadOfLines(order, { expires_after: String(keptSeconds), purpose: 'batch' }),
  create: ({ name, fileId }) => posting(root, [Buffer.from(JSON.stringify({ name, input_file_id: fileId }))]),
  get: (id) => getting(place(id)),
  cancel: (id) => ({ ...getting(`${place(id)}:cancel`), method: 'POST' }),
  list: (token) => getting(paged(`${root}?limit=100`, token)),
  results: (id, token) => getting(paged(`${place(id)}/results?limit=${resultsAtOnce}`, token)),
  fileId: uploadedFileId,
  batch: batchOf,
  page(body) {
    const { batches, pagination_token: token } = members(body);
    return { batches: items(batches).flatMap((each) => batchOf(each) ?? []), next: text(token) };
  },
  resultPage(body) {
    const { results, pagination_token: token } = members(body);
    return { rows: items(results), next: text(token) };
  },
  result(row) {
    const { batch_request_id: id, batch_result: result } = members(row);
    const known = text(id);
    const { chat_get_completion: answer } = members(members(result).response);
    // The code is 0 if nothing is wrong.
    const { choices } = members(answer);
    return known === undefined
      ? undefined
      : { id: known, body: Array.isArray(choices) ? JSON.stringify(answer) : undefined };
  },
};

/** Few enough that their answers are held together. */
const resultsAtOnce = 20;

const paged = (path: string, token: string | undefined): string =>
  token === undefined ? path : `${path}&pagination_token=${encodeURIComponent(token)}`;

function batchOf(body: unknown): VendorBatch | undefined {
  const { batch_id: id, name, create_time: created, cancel_time: cancelled, state } = members(body);
  const known = text(id);
  if (known === undefined) return undefined;
  const { num_requests: requests, num_pending: pending } = members(state);
  // Its requests are counted once their file was read. A file that is wrong cancels the batch.
  const isRead = (finiteNumber(requests) ?? 0) > 0 || text(cancelled) !== undefined;
  const isOver = isRead && (finiteNumber(pending) ?? 0) === 0;
  return {
    id: known,
    name: text(name),
    createdAtMs: lastMoment(text(created)),
    isOver,
    results: isOver ? [known] : [],
  };
}

/** In milliseconds. Times are dates in this API, and with hours in others of the vendor. */
function lastMoment(time: string | undefined): number {
  const ms = Date.parse(time ?? '');
  if (Number.isNaN(ms)) return Infinity;
  return time?.includes('T') ? ms : ms + 86_400_000 - 1;
}

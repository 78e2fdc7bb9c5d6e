import { getting, pageUpToLast, posting } from '../batches/batch-requests.ts';
import {
  batchWithFile,
  keptSeconds,
  nameMember,
  openAiLine,
  openAiResult,
  uploadedFileId,
  uploadOfLines,
} from '../batches/line-files.ts';
import type { BatchFormat, VendorBatch } from '../spec/batch-format.ts';

/** OpenAI's batches. All lines of one have the same endpoint and the same model. */
export const openAiBatches: BatchFormat = {
  keepsNames: true,
  headers: new Set(['accept', 'content-type']),
  endpointOf: (path) => (endpoints.has(path) ? `/v1${path}` : undefined),
  line: openAiLine,
  upload: (order) =>
    uploadOfLines(order, {
      purpose: 'batch',
      'expires_after[anchor]': 'created_at',
      'expires_after[seconds]': String(keptSeconds),
    }),
  create: ({ name, endpoint, fileId }) =>
    posting('/batches', [
      Buffer.from(
        JSON.stringify({
          input_file_id: fileId,
          endpoint,
          completion_window: '24h',
          metadata: { [nameMember]: name },
          output_expires_after: { anchor: 'created_at', seconds: keptSeconds },
        }),
      ),
    ]),
  get: (id) => getting(`/batches/${encodeURIComponent(id)}`),
  cancel: (id) => ({ ...getting(`/batches/${encodeURIComponent(id)}/cancel`), method: 'POST' }),
  list: (after) => getting(`/batches?limit=100${after === undefined ? '' : `&after=${encodeURIComponent(after)}`}`),
  results: (place) => getting(`/files/${encodeURIComponent(place)}/content`),
  fileId: uploadedFileId,
  batch: batchOf,
  page: (body) => pageUpToLast(body, batchOf),
  result: openAiResult,
};

const endpoints: ReadonlySet<string> = new Set(['/chat/completions', '/embeddings', '/responses']);
const endings: ReadonlySet<string> = new Set(['cancelled', 'completed', 'expired', 'failed']);

function batchOf(body: unknown): VendorBatch | undefined {
  return batchWithFile(body, { output: 'output_file_id', endings });
}

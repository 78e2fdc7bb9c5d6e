import { getting, posting } from '../batches/batch-requests.ts';
import { batchWithFile, nameMember, openAiResult, uploadedFileId, uploadOfLines } from '../batches/line-files.ts';
import { items, members } from '../read.ts';
import type { BatchFormat, VendorBatch } from '../spec/batch-format.ts';

const root = '/batch/jobs';
const place = (id: string): string => `${root}/${encodeURIComponent(id)}`;
const pageSize = 100;

/** Mistral's batch jobs. A job has one endpoint and one model, which it names itself. */
export const mistralBatches: BatchFormat = {
  keepsNames: true,
  headers: new Set(['accept', 'content-type']),
  endpointOf: (path) => (endpoints.has(path) ? `/v1${path}` : undefined),
  line: ({ id, body }) => `{"custom_id":${JSON.stringify(id)},"body":${body}}`,
  upload: (order) => uploadOfLines(order, { purpose: 'batch' }),
  create: ({ name, endpoint, lines, fileId }) =>
    posting(root, [
      Buffer.from(
        JSON.stringify({
          input_files: [fileId],
          endpoint,
          model: modelOf(lines),
          metadata: { [nameMember]: name },
          timeout_hours: 24,
        }),
      ),
    ]),
  get: (id) => getting(place(id)),
  cancel: (id) => ({ ...getting(`${place(id)}/cancel`), method: 'POST' }),
  list: (page = '0') => getting(`${root}?page=${page}&page_size=${pageSize}&order_by=-created`),
  results: (file) => getting(`/files/${encodeURIComponent(file)}/content`),
  fileId: uploadedFileId,
  batch: batchOf,
  page(body, asked = '0') {
    const jobs = items(members(body).data);
    const next = jobs.length < pageSize ? undefined : String(Number(asked) + 1);
    return { batches: jobs.flatMap((job) => batchOf(job) ?? []), next };
  },
  result: openAiResult,
};

const endpoints: ReadonlySet<string> = new Set(['/chat/completions', '/embeddings']);
const endings: ReadonlySet<string> = new Set(['CANCELLED', 'FAILED', 'SUCCESS', 'TIMEOUT_EXCEEDED']);

function modelOf([line = '{}']: readonly string[]): unknown {
  return members(members(JSON.parse(line)).body).model;
}

function batchOf(body: unknown): VendorBatch | undefined {
  return batchWithFile(body, { output: 'output_file', endings });
}

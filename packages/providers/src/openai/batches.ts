import { joinForm } from '@tallyport/wire';
import { getting, pageUpToLast, posting } from '../batches/batch-requests.ts';
import { finiteNumber, members, text } from '../read.ts';
import type { BatchFormat, VendorBatch } from '../spec/batch-format.ts';

/** OpenAI's batches. All lines of one have the same endpoint and the same model. */
export const openAiBatches: BatchFormat = {
  keepsNames: true,
  headers: new Set(['accept', 'content-type']),
  endpointOf: (path) => (endpoints.has(path) ? `/v1${path}` : undefined),
  line: ({ id, endpoint, body }) =>
    `{"custom_id":${JSON.stringify(id)},"method":"POST","url":${JSON.stringify(endpoint)},"body":${body}}`,
  upload({ name, lines }) {
    const boundary = `tallyport-${name}`;
    const field = (field: string, value: string) => ({ name: field, content: Buffer.from(value) });
    return posting(
      '/files',
      joinForm(
        [
          field('purpose', 'batch'),
          field('expires_after[anchor]', 'created_at'),
          field('expires_after[seconds]', String(keptSeconds)),
          {
            name: 'file',
            fileName: `${name}.jsonl`,
            type: 'application/jsonl',
            content: Buffer.from(`${lines.join('\n')}\n`),
          },
        ],
        boundary,
      ),
      { 'content-type': `multipart/form-data; boundary=${boundary}` },
    );
  },
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
  fileId: (body) => text(members(body).id),
  batch: batchOf,
  page: (body) => pageUpToLast(body, batchOf),
  result(row) {
    const { custom_id: id, response } = members(row);
    const known = text(id);
    const { status_code: status, body } = members(response);
    return known === undefined
      ? undefined
      : { id: known, body: finiteNumber(status) === 200 ? JSON.stringify(body) : undefined };
  },
};

function batchOf(body: unknown): VendorBatch | undefined {
  const { id, metadata, created_at: created, status, output_file_id: output } = members(body);
  const known = text(id);
  if (known === undefined) return undefined;
  const file = text(output);
  return {
    id: known,
    name: text(members(metadata)[nameMember]),
    createdAtMs: (finiteNumber(created) ?? 0) * 1_000,
    isOver: endings.has(String(status)),
    results: file === undefined ? [] : [file],
  };
}

const endpoints: ReadonlySet<string> = new Set(['/chat/completions', '/embeddings', '/responses']);
const endings: ReadonlySet<string> = new Set(['cancelled', 'completed', 'expired', 'failed']);
const nameMember = 'tallyport_batch';
/** Longer than a batch takes, and than its results take to be read. */
const keptSeconds = 3 * 86_400;

import { joinForm } from '@tallyport/wire';
import { getting, posting } from '../batches/batch-requests.ts';
import { items, members, text } from '../read.ts';
import type { BatchFormat, VendorBatch } from '../spec/batch-format.ts';

/** Batches of the Gemini API, each with one model. Lines in a file keep their keys; those in the request itself lose them. */
export const geminiBatches: BatchFormat = {
  keepsNames: true,
  headers: new Set(['accept', 'content-type']),
  endpointOf(path) {
    const model = /^(\/models\/[^/:]+):generateContent$/.exec(path)?.[1];
    return model && `${model}:batchGenerateContent`;
  },
  line: ({ id, body }) => `{"key":${JSON.stringify(id)},"request":${body}}`,
  upload({ name, lines }) {
    const boundary = `tallyport-${name}`;
    const file = { name: 'file', type: 'application/jsonl', content: Buffer.from(`${lines.join('\n')}\n`) };
    const about = Buffer.from(JSON.stringify({ file: { displayName: name, mimeType: file.type } }));
    return {
      ...posting('/upload/v1beta/files', joinForm([{ name: 'about', type: json, content: about }, file], boundary), {
        'content-type': `multipart/related; boundary=${boundary}`,
        'x-goog-upload-protocol': 'multipart',
      }),
      aboveVersion: true,
    };
  },
  create: ({ name, endpoint, fileId }) =>
    posting(endpoint, [
      Buffer.from(JSON.stringify({ batch: { displayName: name, inputConfig: { fileName: fileId } } })),
    ]),
  get: (id) => getting(place(id)),
  cancel: (id) => ({ ...getting(`${place(id)}:cancel`), method: 'POST' }),
  list: (page) => getting(`/batches?pageSize=100${page === undefined ? '' : `&pageToken=${encodeURIComponent(page)}`}`),
  results: (file) => ({
    ...getting(`/download/v1beta/files/${encodeURIComponent(file)}:download?alt=media`),
    aboveVersion: true,
  }),
  fileId: (body) => text(members(members(body).file).name),
  batch: batchOf,
  page(body) {
    const { operations, nextPageToken } = members(body);
    return { batches: items(operations).flatMap((item) => batchOf(item) ?? []), next: text(nextPageToken) };
  },
  result(row) {
    const { key, response } = members(row);
    const id = text(key);
    return id === undefined
      ? undefined
      : { id, body: response === undefined || response === null ? undefined : JSON.stringify(response) };
  },
};

const json = 'application/json';
const place = (id: string): string => `/batches/${encodeURIComponent(id)}`;

/** An operation. One that was cancelled or has expired has no results. */
function batchOf(body: unknown): VendorBatch | undefined {
  const { name, metadata, done, response } = members(body);
  const id = afterPrefix(name, 'batches/');
  if (id === undefined) return undefined;
  const { displayName, createTime, state, output } = members(metadata);
  const file = afterPrefix(members(response ?? output).responsesFile, 'files/');
  return {
    id,
    name: text(displayName),
    createdAtMs: Date.parse(String(createTime)),
    isOver: done === true || endings.test(String(state)),
    results: file === undefined ? [] : [file],
  };
}

/** The API names them `BATCH_STATE_…`, its documents `JOB_STATE_…`. */
const endings = /^(BATCH|JOB)_STATE_(SUCCEEDED|FAILED|CANCELLED|EXPIRED)$/;

const afterPrefix = (value: unknown, prefix: string): string | undefined =>
  typeof value === 'string' && value.startsWith(prefix) ? text(value.slice(prefix.length)) : undefined;

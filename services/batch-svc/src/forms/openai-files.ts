import { fileIdOf } from '../files/file-id.ts';
import type { StoredFile } from '../files/stored-files.ts';
import type { FilesApi } from './files-api.ts';
import { invalidValue, readLimit, readSeconds, refuseOthers } from './read-fields.ts';

const purposes = ['assistants', 'batch', 'evals', 'fine-tune', 'user_data', 'vision'];

const anchor = 'expires_after[anchor]';
const seconds = 'expires_after[seconds]';
const expiry = { least: 3_600, most: 2_592_000 };
const mostListed = 10_000;

/** OpenAI's API. */
export const openAiFiles: FilesApi = {
  readTerms(fields) {
    refuseOthers(fields, ['purpose', anchor, seconds]);
    const purpose = fields.get('purpose') ?? '';
    if (!purposes.includes(purpose)) throw invalidValue('purpose', `must be one of ${purposes.join(', ')}`);
    if ((fields.get(anchor) ?? 'created_at') !== 'created_at') throw invalidValue(anchor, 'must be created_at');
    const expiresInSeconds = readSeconds(fields, seconds, expiry);
    // As at the vendor, the input of a batch does not stay for ever.
    return { purpose, expiresInSeconds: expiresInSeconds ?? (purpose === 'batch' ? expiry.most : undefined) };
  },
  readPage(query) {
    const order = query.get('order') ?? 'desc';
    if (order !== 'asc' && order !== 'desc') throw invalidValue('order', 'must be asc or desc');
    const after = query.get('after');
    return {
      order,
      limit: readLimit(query, { standard: mostListed, most: mostListed }),
      purpose: query.get('purpose') ?? undefined,
      after: after === null ? undefined : fileIdOf(after),
    };
  },
  file: fileObject,
  list: (files, hasMore) => ({
    object: 'list',
    data: files.map(fileObject),
    first_id: files[0]?.id ?? null,
    last_id: files.at(-1)?.id ?? null,
    has_more: hasMore,
  }),
  deleted: ({ id }) => ({ id, object: 'file', deleted: true }),
};

function fileObject({ id, bytes, createdAt, expiresAt, filename, purpose }: StoredFile) {
  return {
    id,
    object: 'file',
    bytes,
    created_at: unixTime(createdAt),
    ...(expiresAt && { expires_at: unixTime(expiresAt) }),
    filename,
    purpose,
    status: 'processed',
  };
}

const unixTime = (time: Date): number => Math.floor(time.getTime() / 1_000);

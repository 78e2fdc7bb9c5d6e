import { anthropicIdOf, fileIdOf } from '../files/file-id.ts';
import type { StoredFile } from '../files/stored-files.ts';
import type { FilesApi } from './files-api.ts';
import { invalidValue, readLimit, readSeconds, refuseOthers } from './read-fields.ts';

const seconds = 'expires_in_seconds';
const expiry = { least: 3_600, most: 7_776_000 };
const mostIds = 100;

/** Anthropic's API. Its files have no purpose: clients of OpenAI's see them as data of a user. */
export const anthropicFiles: FilesApi = {
  readTerms(fields) {
    refuseOthers(fields, [seconds]);
    return { purpose: 'user_data', expiresInSeconds: readSeconds(fields, seconds, expiry) };
  },
  readPage(query) {
    const page = query.get('page');
    const ids = [...new Set([...query.getAll('ids'), ...query.getAll('ids[]')])].map(fileIdOf);
    if (ids.length > mostIds) throw invalidValue('ids', `must be at most ${mostIds}`);
    return {
      order: 'desc',
      limit: ids.length > 0 ? mostIds : readLimit(query, { standard: 20, most: 1_000 }),
      after: page === null ? undefined : fileIdOf(page),
      ...(ids.length > 0 && { ids }),
    };
  },
  file: fileMetadata,
  list: (files, hasMore) => {
    const last = files.at(-1);
    return { data: files.map(fileMetadata), next_page: hasMore && last ? anthropicIdOf(last.id) : null };
  },
  deleted: ({ id }) => ({ id: anthropicIdOf(id), type: 'file_deleted' }),
};

function fileMetadata({ id, bytes, createdAt, expiresAt, filename, mediaType }: StoredFile) {
  return {
    id: anthropicIdOf(id),
    type: 'file',
    filename,
    mime_type: mediaType,
    size_bytes: bytes,
    created_at: createdAt.toISOString(),
    downloadable: true,
    expires_at: expiresAt?.toISOString() ?? null,
  };
}

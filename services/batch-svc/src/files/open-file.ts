import { openContent } from '../sealing/sealed-content.ts';
import type { ContentRange } from '../storage/file-storage.ts';
import { readContentKey } from './content-key.ts';
import type { FileTools } from './file-tools.ts';
import { noSuchFile } from './file-id.ts';

/** The content of a file, whether or not clients still see it. */
interface OpenedFile {
  bytes: number;
  read(range: ContentRange): AsyncIterable<Uint8Array>;
}

/** Throws `not_found` if its content is gone. */
export async function openFile(
  tools: Pick<FileTools, 'database' | 'secrets' | 'storage'>,
  file: { id: string; accountId: string },
): Promise<OpenedFile> {
  const row = await tools.database.kysely
    .selectFrom('files')
    .select('bytes')
    .where('id', '=', file.id)
    .where('account_id', '=', file.accountId)
    .executeTakeFirst();
  if (row === undefined) throw noSuchFile();
  const key = await readContentKey(tools, file);
  const bytes = Number(row.bytes);
  const content = { key, bytes, read: (part: ContentRange) => tools.storage.read(file.id, part) };
  return { bytes, read: (range) => openContent(content, range) };
}

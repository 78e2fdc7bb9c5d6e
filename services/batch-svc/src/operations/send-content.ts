import type { ExchangeHandler } from '@tallyport/bus';
import { openContent } from '../sealing/sealed-content.ts';
import type { ContentRange } from '../storage/file-storage.ts';
import { readContentKey } from '../files/content-key.ts';
import { fileIdIn } from '../files/file-id.ts';
import { fileOwnerOf } from '../files/file-owner.ts';
import type { FileTools } from '../files/file-tools.ts';
import { findFile, type StoredFile } from '../files/stored-files.ts';

/** `GET /v1/files/{id}/content`: the bytes as they are read from the storage. */
export const sendContent =
  (tools: FileTools): ExchangeHandler =>
  async ({ head, body }) => {
    body.cancel();
    const file = await findFile(tools.database, fileOwnerOf(head), fileIdIn(head));
    const content = await readInTurn(tools, file);
    return {
      head: {
        status: 200,
        headers: {
          'content-type': file.mediaType,
          'content-length': String(file.bytes),
          'content-disposition': `attachment; filename*=UTF-8''${encodeURIComponent(file.filename)}`,
          'x-content-type-options': 'nosniff',
        },
      },
      body: content,
      opaque: true,
    };
  };

async function readInTurn(tools: FileTools, file: StoredFile): Promise<AsyncIterable<Uint8Array>> {
  const endTurn = await tools.downloadTurn(file.accountId);
  try {
    return untilRead(await readContent(tools, file, { start: 0, end: file.bytes }), endTurn);
  } catch (error) {
    endTurn();
    throw error;
  }
}

async function* untilRead(content: AsyncIterable<Uint8Array>, endTurn: () => void): AsyncGenerator<Uint8Array> {
  try {
    yield* content;
  } finally {
    endTurn();
  }
}

/** Resolves once the first bytes are read, so that a storage that is away is no broken answer. */
async function readContent(
  tools: FileTools,
  file: StoredFile,
  range: ContentRange,
): Promise<AsyncIterable<Uint8Array>> {
  const key = await readContentKey(tools, file);
  const pieces = openContent({ key, bytes: file.bytes, read: (part) => tools.storage.read(file.id, part) }, range);
  const first = await pieces.next();
  return withFirst(first, pieces, (bytes) => tools.events.moved('out', bytes));
}

async function* withFirst(
  first: IteratorResult<Uint8Array>,
  others: AsyncGenerator<Uint8Array>,
  onMoved: (bytes: number) => void,
): AsyncGenerator<Uint8Array> {
  try {
    for (let next = first; next.done !== true; next = await others.next()) {
      onMoved(next.value.length);
      yield next.value;
    }
  } finally {
    await others.return(undefined);
  }
}

import type { ExchangeHandler } from '@tallyport/bus';
import { fileIdIn } from '../files/file-id.ts';
import { fileOwnerOf } from '../files/file-owner.ts';
import type { FileTools } from '../files/file-tools.ts';
import { openFile } from '../files/open-file.ts';
import { findFile } from '../files/stored-files.ts';
import { readInTurn } from './read-in-turn.ts';

/** `GET /v1/files/{id}/content`: the bytes as they are read from the storage. */
export const sendContent =
  (tools: FileTools): ExchangeHandler =>
  async ({ head, body }) => {
    body.cancel();
    const file = await findFile(tools.database, fileOwnerOf(head), fileIdIn(head));
    const { bytes, read } = await openFile(tools, file);
    const content = await readInTurn(tools, file.accountId, () => read({ start: 0, end: bytes }));
    return {
      head: {
        status: 200,
        headers: {
          'content-type': file.mediaType,
          'content-length': String(bytes),
          'content-disposition': `attachment; filename*=UTF-8''${encodeURIComponent(file.filename)}`,
          'x-content-type-options': 'nosniff',
        },
      },
      body: content,
      opaque: true,
    };
  };

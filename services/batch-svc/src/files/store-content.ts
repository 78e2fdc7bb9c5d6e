import { GatewayError } from '@tallyport/contracts';
import type { FilePart } from '../request/file-form.ts';
import { mediaTypeOfFile, recognisedFrom } from '../request/media-type.ts';
import { fileNameOf } from '../request/file-name.ts';
import { sealContent } from '../sealing/sealed-content.ts';
import { makeContentKey } from './content-key.ts';
import type { FileTools } from './file-tools.ts';
import { type FileUpload, reserveSpace } from './uploads.ts';

interface StoredContent {
  filename: string;
  mediaType: string;
  bytes: number;
}

/** Seals a file as it arrives and writes it to the storage. Space is reserved before it is used. */
export async function storeContent(tools: FileTools, upload: FileUpload, part: FilePart): Promise<StoredContent> {
  const filename = fileNameOf(part.filename);
  const counted = countedContent(tools, upload, { filename, declared: part.mediaType });
  const key = await makeContentKey(tools.database.kysely, tools.secrets, upload);
  await tools.storage.write(upload.id, sealContent(counted.pass(part.pieces), key));
  return { filename, ...counted.seen() };
}

function countedContent(
  { database, quota, maxBytes, events }: FileTools,
  upload: FileUpload,
  named: { filename: string; declared: string | undefined },
) {
  let bytes = 0;
  let reserved = 0;
  let head = Buffer.alloc(0);
  let mediaType: string | undefined;

  /** Once the first bytes are known: a file of a wrong type is refused before it is stored. */
  function recognise(piece: Uint8Array): void {
    head = Buffer.concat([head, piece.subarray(0, recognisedFrom - head.length)]);
    if (head.length >= recognisedFrom) mediaType ??= mediaTypeOfFile({ ...named, head });
  }

  async function* pass(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const piece of pieces) {
      bytes += piece.length;
      if (bytes > maxBytes) throw tooLarge(maxBytes);
      while (bytes > reserved) reserved = await reserveSpace(database, upload, quota);
      recognise(piece);
      events.moved('in', piece.length);
      yield piece;
    }
    if (bytes === 0) throw empty();
    mediaType ??= mediaTypeOfFile({ ...named, head });
  }
  return { pass, seen: () => ({ bytes, mediaType: mediaType ?? '' }) };
}

const tooLarge = (limit: number): GatewayError =>
  new GatewayError('request_too_large', `A file has at most ${limit} bytes (FILES_MAX_BYTES). Send a smaller one.`, {
    param: 'file',
  });

const empty = (): GatewayError =>
  new GatewayError('invalid_parameters', 'The file is empty. Send one with content.', { param: 'file' });

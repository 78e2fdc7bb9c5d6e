import type { ExchangeHandler, IncomingExchange } from '@tallyport/bus';
import { filesApiOf } from '../forms/files-api-of.ts';
import { readFileForm } from '../request/file-form.ts';
import { answerJson } from './answer-json.ts';
import { newFileId } from '../files/file-id.ts';
import { dropUpload } from '../files/drop-upload.ts';
import { type FileOwner, fileOwnerOf } from '../files/file-owner.ts';
import type { FileTools } from '../files/file-tools.ts';
import { storeContent } from '../files/store-content.ts';
import { findFile } from '../files/stored-files.ts';
import { beginUpload, type FileUpload, finishUpload, uploadGraceMs } from '../files/uploads.ts';

/** `POST /v1/files`: stores the file of a form while it arrives. */
export const createFile =
  (tools: FileTools): ExchangeHandler =>
  async (exchange) => {
    const owner = fileOwnerOf(exchange.head);
    const endTurn = await tools.uploadTurn(owner.accountId);
    try {
      const file = await findFile(tools.database, owner, await storeFile(tools, owner, exchange));
      return answerJson(filesApiOf(exchange.head).file(file));
    } finally {
      endTurn();
    }
  };

/** Returns the id of the file. */
async function storeFile(tools: FileTools, owner: FileOwner, exchange: IncomingExchange): Promise<string> {
  const upload = { ...owner, id: newFileId(), endsInMs: exchange.head.timeoutMs + uploadGraceMs };
  await beginUpload(tools.database, upload, tools.quota);
  try {
    await storeUpload(tools, upload, exchange);
  } catch (error) {
    await dropUpload(tools, upload);
    throw error;
  }
  return upload.id;
}

async function storeUpload(tools: FileTools, upload: FileUpload, { head, body }: IncomingExchange): Promise<void> {
  const contentType = head.headers['content-type'] ?? '';
  const { fields, stored } = await readFileForm({ body, contentType }, (part) => storeContent(tools, upload, part));
  // Fields may follow the file.
  const terms = filesApiOf(head).readTerms(fields);
  await finishUpload(tools.database.kysely, upload, { expiresInSeconds: undefined, ...stored, ...terms });
}

import type { ExchangeHandler, IncomingExchange } from '@tallyport/bus';
import { filesApiOf } from '../forms/files-api-of.ts';
import { readFileForm } from '../request/file-form.ts';
import { answerJson } from './answer-json.ts';
import { fileOwnerOf } from '../files/file-owner.ts';
import type { FileTools } from '../files/file-tools.ts';
import { storeContent } from '../files/store-content.ts';
import { findFile } from '../files/stored-files.ts';
import { type FileUpload, finishUpload, uploadGraceMs } from '../files/uploads.ts';
import { withUpload } from '../files/with-upload.ts';

/** `POST /v1/files`: stores the file of a form while it arrives. */
export const createFile =
  (tools: FileTools): ExchangeHandler =>
  async (exchange) => {
    const owner = fileOwnerOf(exchange.head);
    const endTurn = await tools.uploadTurn(owner.accountId);
    try {
      const begun = { ...owner, endsInMs: exchange.head.timeoutMs + uploadGraceMs };
      const id = await withUpload(tools, begun, (upload) => storeUpload(tools, upload, exchange));
      return answerJson(filesApiOf(exchange.head).file(await findFile(tools.database, owner, id)));
    } finally {
      endTurn();
    }
  };

/** Returns the id of the file. */
async function storeUpload(tools: FileTools, upload: FileUpload, { head, body }: IncomingExchange): Promise<string> {
  const contentType = head.headers['content-type'] ?? '';
  const { fields, stored } = await readFileForm({ body, contentType }, (part) => storeContent(tools, upload, part));
  // Fields may follow the file.
  const terms = filesApiOf(head).readTerms(fields);
  await finishUpload(tools.database.kysely, upload, { expiresInSeconds: undefined, ...stored, ...terms });
  return upload.id;
}

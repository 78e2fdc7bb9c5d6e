import type { ExchangeHandler, IncomingExchange } from '@tallyport/bus';
import { filesApiOf } from '../forms/files-api-of.ts';
import { answerJson } from './answer-json.ts';
import { fileIdIn } from '../files/file-id.ts';
import { fileOwnerOf } from '../files/file-owner.ts';
import type { FileTools } from '../files/file-tools.ts';
import { findFile, hideFile, listFiles } from '../files/stored-files.ts';
import { isInputOfBatch, removeFile } from '../files/sweep-files.ts';

/** `GET /v1/files/{id}` */
export const getFile =
  ({ database }: FileTools): ExchangeHandler =>
  async ({ head, body }) => {
    body.cancel();
    return answerJson(filesApiOf(head).file(await findFile(database, fileOwnerOf(head), fileIdIn(head))));
  };

/** `GET /v1/files` */
export const listFilesOf =
  ({ database }: FileTools): ExchangeHandler =>
  async ({ head, body }) => {
    body.cancel();
    const api = filesApiOf(head);
    // Postgres takes no NUL.
    const page = api.readPage(new URLSearchParams(head.query?.replaceAll('%00', '')));
    const files = await listFiles(database, fileOwnerOf(head), page);
    return answerJson(api.list(files.slice(0, page.limit), files.length > page.limit));
  };

/** `DELETE /v1/files/{id}`. The file is gone at once, its content later if the storage is away or a batch reads it. */
export const deleteFile =
  (tools: FileTools): ExchangeHandler =>
  async ({ head, body }: IncomingExchange) => {
    body.cancel();
    const file = await hideFile(tools.database, fileOwnerOf(head), fileIdIn(head));
    if (!(await isInputOfBatch(tools.database, file.id)))
      await removeFile(tools, file.id).catch((error: unknown) => tools.events.contentNotRemoved(error, file.id));
    return answerJson(filesApiOf(head).deleted(file));
  };

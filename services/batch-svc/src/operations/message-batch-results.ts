import type { ExchangeHandler } from '@tallyport/bus';
import { GatewayError } from '@tallyport/contracts';
import { type Database, sql } from '@tallyport/database';
import { batchIdIn } from '../batches/batch-id.ts';
import type { BatchTools } from '../batches/batch-tools.ts';
import { type BatchOwner, findBatch } from '../batches/stored-batches.ts';
import { isGone } from '../files/is-gone.ts';
import { openFile } from '../files/open-file.ts';
import { removeFile } from '../files/sweep-files.ts';
import { batchOwnerOf } from '../forms/batches-api.ts';
import { answerJson } from './answer-json.ts';
import { readInTurn } from './read-in-turn.ts';

/** `GET /v1/messages/batches/{id}/results` */
export const messageBatchResults =
  (tools: BatchTools): ExchangeHandler =>
  async ({ head, body }) => {
    body.cancel();
    const owner = batchOwnerOf('messages', head);
    const { outputFileId: id, accountId, endedAt } = await findBatch(tools.database, owner, batchIdIn(head));
    if (endedAt === null) throw noResults('The batch has not ended. Ask again once its processing_status is ended.');
    if (id === null || (await isGone(tools.database, id))) throw noResults('The batch has no results any more.');
    const file = await openFile(tools, { id, accountId });
    const content = await readInTurn(tools, accountId, () => file.read({ start: 0, end: file.bytes }));
    const headers = { 'content-type': 'application/x-jsonl', 'content-length': String(file.bytes) };
    return { head: { status: 200, headers }, body: content, opaque: true };
  };

/** `DELETE /v1/messages/batches/{id}` */
export const deleteMessageBatch =
  (tools: BatchTools): ExchangeHandler =>
  async ({ head, body }) => {
    body.cancel();
    const owner = batchOwnerOf('messages', head);
    const { id, endedAt, outputFileId } = await findBatch(tools.database, owner, batchIdIn(head));
    if (endedAt === null) throw new GatewayError('conflict', 'The batch has not ended. Cancel it first.');
    await deleteRows(tools.database, owner, id);
    if (outputFileId !== null)
      await removeFile(tools, outputFileId).catch((error: unknown) =>
        tools.events.contentNotRemoved(error, outputFileId),
      );
    return answerJson({ id, type: 'message_batch_deleted' });
  };

/** The content is removed next: until then the sweep knows of it. */
const deleteRows = ({ kysely }: Database, { accountId }: BatchOwner, id: string): Promise<void> =>
  kysely.transaction().execute(async (transaction) => {
    await sql`update files set status = 'deleted', sweep_at = now() + interval '1 minute'
      where account_id = ${accountId} and id in (select output_file_id from batches where id = ${id})`.execute(
      transaction,
    );
    await transaction.deleteFrom('batches').where('id', '=', id).execute();
    await transaction.deleteFrom('secrets').where('id', '=', id).execute();
  });

const noResults = (message: string): GatewayError => new GatewayError('not_found', message);

import type { ExchangeHandler } from '@tallyport/bus';
import { GatewayError } from '@tallyport/contracts';
import { batchRequest, checkedRequest } from '@tallyport/endpoints';
import { addBatch } from '../batches/add-batch.ts';
import { newBatchId } from '../batches/batch-id.ts';
import type { BatchTools } from '../batches/batch-tools.ts';
import { keyOf } from '../batches/key-of.ts';
import { lineHeadersOf } from '../batches/line-headers.ts';
import { findBatch } from '../batches/stored-batches.ts';
import { fileIdOf } from '../files/file-id.ts';
import { findFile } from '../files/stored-files.ts';
import { batchesApis, batchOwnerOf } from '../forms/batches-api.ts';
import { answerJson } from './answer-json.ts';

const mostBytes = 64 * 1024;
/** OpenAI's limit. */
const mostInputBytes = 200 * 1_000_000;

/** `POST /v1/batches`: the batch of a stored file, whose lines are checked afterwards. */
export const createBatch =
  (tools: BatchTools): ExchangeHandler =>
  async ({ head, body }) => {
    const { database } = tools;
    const owner = batchOwnerOf('batches', head);
    const asked = checkedRequest(batchRequest, parsed(await body.bytes(mostBytes)));
    const key = await keyOf(tools, head);
    const file = await findFile(database, owner, fileIdOf(asked.input_file_id.replaceAll('\0', '')));
    if (file.purpose !== 'batch') throw wrongFile('must be a file with the purpose `batch`');
    if (file.bytes > mostInputBytes) throw wrongFile(`has more than ${mostInputBytes} bytes`);
    const batch = {
      ...owner,
      id: newBatchId('batches'),
      keyId: key.keyId,
      endpoint: asked.endpoint,
      headers: lineHeadersOf(head),
      metadata: asked.metadata ?? null,
      inputFileId: file.id,
      outputExpiresSeconds: asked.output_expires_after?.seconds ?? null,
    };
    // Read before others see it: a part may begin at once.
    const created = await database.kysely.transaction().execute(async (transaction) => {
      await addBatch(transaction, tools.secrets, batch);
      return findBatch({ kysely: transaction }, owner, batch.id);
    });
    tools.wake();
    return answerJson(batchesApis.batches.batch(created));
  };

function parsed(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(bytes).toString());
  } catch (cause) {
    throw new GatewayError('invalid_json', 'The body must be JSON.', { cause });
  }
}

const wrongFile = (why: string): GatewayError =>
  new GatewayError('invalid_parameters', `input_file_id ${why}.`, { param: 'input_file_id' });

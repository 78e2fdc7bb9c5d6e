import type { ExchangeHandler, IncomingExchange } from '@tallyport/bus';
import { GatewayError, type Principal } from '@tallyport/contracts';
import { addBatch } from '../batches/add-batch.ts';
import { newBatchId } from '../batches/batch-id.ts';
import type { BatchTools } from '../batches/batch-tools.ts';
import { beginBatch } from '../batches/begin-batch.ts';
import { dropHold, holdNew } from '../budgets/batch-hold.ts';
import { createLineEstimates, type LineEstimates } from '../budgets/line-estimates.ts';
import { keyOf } from '../batches/key-of.ts';
import { lineHeadersOf } from '../batches/line-headers.ts';
import { type BatchOwner, findBatch } from '../batches/stored-batches.ts';
import { storeContent } from '../files/store-content.ts';
import { type FileUpload, finishUpload, uploadGraceMs } from '../files/uploads.ts';
import { withUpload } from '../files/with-upload.ts';
import { batchesApis, batchOwnerOf } from '../forms/batches-api.ts';
import { checkMessageRequest } from '../lines/check-line.ts';
import { createInputCheck, type InputCheck } from '../lines/input-check.ts';
import { splitRequests } from '../lines/split-requests.ts';
import { answerJson } from './answer-json.ts';

/** Anthropic's limits. */
const mostRequests = 100_000;
const mostBytes = 256 * 1_000_000;
const jsonLines = 'application/jsonl';
const endpoint = '/v1/messages';

/** `POST /v1/messages/batches`: the requests are checked and stored, a line each, while they arrive. */
export const createMessageBatch =
  (tools: BatchTools): ExchangeHandler =>
  async (exchange) => {
    const owner = batchOwnerOf('messages', exchange.head);
    const principal = await keyOf(tools, exchange.head);
    const endTurn = await tools.uploadTurn(owner.accountId);
    try {
      const begun = { ...owner, endsInMs: exchange.head.timeoutMs + uploadGraceMs };
      const id = await withUpload(tools, begun, (upload) =>
        storeRequests(tools, upload, { owner, principal, exchange }),
      );
      const created = await findBatch(tools.database, owner, id);
      tools.wake();
      return answerJson(batchesApis.messages.batch(created));
    } finally {
      endTurn();
    }
  };

interface SentBatch {
  owner: BatchOwner;
  principal: Principal;
  exchange: IncomingExchange;
}

/** Returns the id of the batch. */
async function storeRequests(
  tools: BatchTools,
  upload: FileUpload,
  { owner, principal, exchange }: SentBatch,
): Promise<string> {
  const check = createInputCheck({ check: checkMessageRequest, mostLines: mostRequests });
  const id = newBatchId('messages');
  const headers = lineHeadersOf(exchange.head);
  const estimated = { id, principal, endpoint, headers };
  const estimates = createLineEstimates((bodies) => tools.budgets.estimate(estimated, bodies));
  const requests = splitRequests(within(exchange.body, mostBytes), { maxBytes: tools.maxLineBytes });
  const part = { filename: 'requests.jsonl', mediaType: jsonLines, pieces: linesOf(requests, { check, estimates }) };
  const stored = await storeContent({ ...tools, maxBytes: mostBytes }, upload, part).catch((error: unknown) => {
    exchange.body.cancel();
    throw error;
  });
  const amounts = await estimates.all();
  const batch = {
    ...owner,
    id,
    keyId: principal.keyId,
    endpoint,
    headers,
    metadata: null,
    inputFileId: upload.id,
    outputExpiresSeconds: null,
  };
  await holdNew(tools, estimated, amounts);
  const begin = tools.database.kysely.transaction().execute(async (transaction) => {
    await finishUpload(transaction, upload, { ...stored, purpose: 'batch', expiresInSeconds: undefined, isKept: true });
    await addBatch(transaction, tools.secrets, batch);
    await beginBatch(transaction, id, { ...check.checked(), amounts });
  });
  await begin.catch(async (error: unknown) => {
    await dropHold(tools, estimated).catch(tools.events.notWorked);
    throw error;
  });
  return id;
}

interface ReadRequests {
  check: InputCheck;
  estimates: LineEstimates;
}

async function* linesOf(
  requests: AsyncIterable<Buffer>,
  { check, estimates }: ReadRequests,
): AsyncGenerator<Uint8Array> {
  let start = 0;
  let number = 0;
  for await (const bytes of requests) {
    number += 1;
    const line = { number, start, end: start + bytes.length, bytes };
    const problem = check.add(line);
    if (problem !== undefined) throw wrongRequest(number - 1, problem);
    await estimates.add(line);
    start += bytes.length + 1;
    yield bytes;
    yield lineEnd;
  }
  if (number === 0) throw wrong('requests must have at least one request.', 'requests');
}

const lineEnd = Buffer.from('\n');

async function* within(pieces: AsyncIterable<Uint8Array>, most: number): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  for await (const piece of pieces) {
    bytes += piece.length;
    if (bytes > most)
      throw new GatewayError('request_too_large', `A batch has at most ${most} bytes. Send its requests as several.`);
    yield piece;
  }
}

function wrongRequest(index: number, { message, param }: { message: string; param: string | null }): GatewayError {
  const place = `requests[${index}]${param === null ? '' : `.${param}`}`;
  return wrong(`${place}: ${message}`, place);
}

const wrong = (message: string, param: string): GatewayError =>
  new GatewayError('invalid_parameters', message, { param });

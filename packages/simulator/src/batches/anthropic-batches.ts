import {
  type ArrivedRequest,
  bytesReply,
  contentHash,
  type FamilySettings,
  isObject,
  type JsonObject,
  jsonOf,
  jsonReply,
  objectsOf,
  type Reply,
  type VendorRoute,
} from '@tallyport/sandbox';
import { anthropicDialect } from '../anthropic/dialect.ts';
import { anthropicErrorReply, anthropicInvalid } from '../anthropic/errors.ts';
import { refuseHeaders } from '../anthropic/refuse-headers.ts';
import type { BatchDesk, BatchLine, BatchLineResult, SimulatedBatch } from './batch-desk.ts';
import { inJsonLines } from './json-lines.ts';
import { pageOfBatches } from './batch-page.ts';

const root = '/anthropic/v1/messages/batches';
const dayMs = 86_400_000;

/** Message Batches of Anthropic. A fault can be limited to them by the model `batch`. */
export function anthropicBatchRoutes(desk: BatchDesk, { apiKeys }: FamilySettings): VendorRoute[] {
  function create(request: ArrivedRequest): Reply {
    const body = jsonOf(request.body.toString());
    const lines = isObject(body) && Array.isArray(body['requests']) ? linesIn(objectsOf(body['requests'])) : undefined;
    if (lines === undefined || lines.length === 0) return refusal('requests: Field required');
    if (lines.some(({ customId }) => !/^[a-zA-Z0-9_-]{1,64}$/.test(customId)))
      return refusal('requests.0.custom_id: String should match pattern ^[a-zA-Z0-9_-]{1,64}$');
    if (new Set(lines.map(({ customId }) => customId)).size < lines.length)
      return refusal('requests: custom_id must be unique');
    const id = `msgbatch_sim${contentHash(`${desk.opened.length}/${contentHash(request.body)}`).slice(0, 20)}`;
    return jsonReply(200, document(desk.open(request, { id, lines, given: {} }), request));
  }

  const routeOf = (
    method: VendorRoute['method'],
    path: string,
    answer: (request: ArrivedRequest) => Reply | undefined,
  ): VendorRoute => ({
    method,
    path: new RegExp(`^${root}${path}$`),
    provider: 'anthropic',
    faulty: true,
    dialect: anthropicDialect,
    answer(request) {
      const refused = refuseHeaders(request.headers, apiKeys);
      if (refused !== undefined) return { model: 'batch', answer: anthropicErrorReply(refused) };
      return { model: 'batch', answer: answer(request) ?? notFound() };
    },
  });
  return [
    routeOf('POST', '', create),
    routeOf('GET', '', (request) => {
      const batches = desk.lookAtAll(request);
      return jsonReply(
        200,
        pageOfBatches(request, { batches, document: (each) => document(each, request), after: 'after_id' }),
      );
    }),
    routeOf('GET', '/[^/]+', (request) => {
      const batch = desk.look(request, idIn(request.path));
      return batch && jsonReply(200, document(batch, request));
    }),
    routeOf('POST', '/[^/]+/cancel', (request) => {
      const batch = desk.cancel(request, idIn(request.path));
      return batch && jsonReply(200, document(batch, request));
    }),
    routeOf('GET', '/[^/]+/results', (request) => {
      const batch = desk.find(request, idIn(request.path));
      return batch?.state === 'ended' ? resultsReply(batch) : undefined;
    }),
  ];
}

const idIn = (path: string): string => /\/batches\/([^/]+)/.exec(path)?.[1] ?? '';
const refusal = (message: string): Reply => anthropicErrorReply(anthropicInvalid(message));
const notFound = (): Reply => anthropicErrorReply({ status: 404, type: 'not_found_error', message: 'Not found' });

const linesIn = (requests: readonly JsonObject[]): BatchLine[] =>
  requests.map(({ custom_id: customId, params }) => ({
    customId: String(customId),
    path: '/anthropic/v1/messages',
    body: isObject(params) ? params : {},
  }));

function document(batch: SimulatedBatch, { headers }: ArrivedRequest): object {
  const { id, createdAt, state, ending, results, unanswered, lines } = batch;
  const succeeded = results.filter(({ status }) => status === 200).length;
  const hasEnded = state === 'ended';
  const at = createdAt * 1_000;
  return {
    id,
    type: 'message_batch',
    processing_status: { running: 'in_progress', canceling: 'canceling', ended: 'ended' }[state],
    request_counts: {
      processing: hasEnded ? 0 : lines.length,
      succeeded,
      errored: results.length - succeeded,
      canceled: ending === 'cancelled' ? unanswered.length : 0,
      expired: ending === 'expired' ? unanswered.length : 0,
    },
    created_at: new Date(at).toISOString(),
    expires_at: new Date(at + dayMs).toISOString(),
    ended_at: hasEnded ? new Date(at).toISOString() : null,
    cancel_initiated_at: null,
    archived_at: null,
    results_url: hasEnded ? `http://${headers.host}${root}/${id}/results` : null,
  };
}

function resultsReply({ results, unanswered, ending }: SimulatedBatch): Reply {
  const type = ending === 'expired' ? 'expired' : 'canceled';
  const rows = [
    ...unanswered.map((customId) => ({ custom_id: customId, result: { type } })),
    ...results.map((result) => ({ custom_id: result.customId, result: resultOf(result) })),
  ];
  return bytesReply(inJsonLines(rows), { 'content-type': 'application/x-jsonl' });
}

function resultOf({ status, body }: BatchLineResult): object {
  if (status !== 200) return { type: 'errored', error: { type: 'error', error: body['error'] } };
  const usage = isObject(body['usage']) ? { usage: { ...body['usage'], service_tier: 'batch' } } : {};
  return { type: 'succeeded', message: { ...body, ...usage } };
}

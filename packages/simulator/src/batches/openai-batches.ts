import {
  type ArrivedRequest,
  bearerOf,
  contentHash,
  type FamilySettings,
  invalidRequest,
  isAcceptedKey,
  isObject,
  type JsonObject,
  jsonOf,
  jsonReply,
  openAiDialect,
  openAiErrorBody,
  openAiFailure,
  type Reply,
  type RouteAnswer,
  type VendorRoute,
} from '@tallyport/sandbox';
import type { BatchDesk, BatchLine, BatchLineResult, SimulatedBatch } from './batch-desk.ts';
import { inJsonLines } from './json-lines.ts';
import { createOpenAiFiles, type OpenAiFiles, openAiRefusal } from './openai-files.ts';
import { pageOfBatches } from './batch-page.ts';

type Answer = (request: ArrivedRequest) => Reply | undefined;

/** Files and batches of OpenAI. A fault can be limited to uploads, or to what opens a batch, by the models `file` and `batch`. */
export function openAiBatchRoutes(desk: BatchDesk, { apiKeys, now }: FamilySettings): VendorRoute[] {
  const files = createOpenAiFiles(now);
  const document = (batch: SimulatedBatch): object => batchDocument(withFiles(batch, files));
  const batchOf = ({ path }: ArrivedRequest): string => /\/batches\/([^/]+)/.exec(path)?.[1] ?? '';
  const withKey =
    (answer: Answer) =>
    (request: ArrivedRequest): RouteAnswer => {
      const model = request.path.startsWith('/v1/files') ? 'file' : 'batch';
      if (!isAcceptedKey(bearerOf(request.headers), apiKeys)) return { model, answer: unauthorized() };
      return { model, answer: answer(request) ?? notFound() };
    };
  const routeOf = (method: VendorRoute['method'], path: string, answer: Answer): VendorRoute => ({
    method,
    path: new RegExp(`^/v1${path}$`),
    provider: 'openai',
    faulty: true,
    dialect: openAiDialect,
    answer: withKey(answer),
  });
  const shown = (batch: SimulatedBatch | undefined): Reply | undefined => batch && jsonReply(200, document(batch));
  return [
    routeOf('POST', '/files', files.upload),
    routeOf('GET', '/files/[^/]+', files.show),
    routeOf('GET', '/files/[^/]+/content', files.content),
    routeOf('POST', '/batches', (request) => {
      const batch = created(request, { desk, files });
      return 'kind' in batch ? batch : shown(batch);
    }),
    routeOf('GET', '/batches', (request) => {
      const page = pageOfBatches(request, { batches: desk.lookAtAll(request), document, after: 'after' });
      return jsonReply(200, { object: 'list', ...page });
    }),
    routeOf('GET', '/batches/[^/]+', (request) => shown(desk.look(request, batchOf(request)))),
    routeOf('POST', '/batches/[^/]+/cancel', (request) => shown(desk.cancel(request, batchOf(request)))),
  ];
}

function created(
  request: ArrivedRequest,
  { desk, files }: { desk: BatchDesk; files: OpenAiFiles },
): SimulatedBatch | Reply {
  const body = jsonOf(request.body.toString());
  if (!isObject(body)) return openAiRefusal('We could not parse the JSON body of your request.', null);
  const { input_file_id: input, endpoint, completion_window: window } = body;
  if (!endpoints.has(String(endpoint))) return openAiRefusal('Invalid endpoint', 'endpoint');
  if (window !== '24h') return openAiRefusal('Invalid completion_window', 'completion_window');
  const bytes = files.read(request, String(input));
  if (bytes === undefined) return openAiRefusal('Invalid input_file_id', 'input_file_id');
  const { lines, errors } = linesIn(bytes, String(endpoint));
  const id = `batch_${contentHash(`${desk.opened.length}/${String(input)}`).slice(0, 24)}`;
  return desk.open(request, { id, lines, given: { ...body, errors }, fails: errors.length > 0 });
}

/** The files of an ended batch are made when it is first seen. */
function withFiles(batch: SimulatedBatch, files: OpenAiFiles): SimulatedBatch {
  const { given, results, unanswered, owner } = batch;
  if (batch.state !== 'ended' || batch.ending === 'failed' || given['made'] === true) return batch;
  const good = results.filter(({ status }) => status === 200).map(outputLine);
  const failed = results.filter(({ status }) => status !== 200).map(outputLine);
  const bad = [...failed, ...unanswered.map((id) => unansweredLine(id, batch))];
  const store = (rows: readonly object[]): string | undefined =>
    rows.length === 0 ? undefined : files.keep({ owner, bytes: inJsonLines(rows) });
  Object.assign(given, { made: true, output_file_id: store(good), error_file_id: store(bad) });
  return batch;
}

const endpoints: ReadonlySet<string> = new Set([
  '/v1/chat/completions',
  '/v1/completions',
  '/v1/embeddings',
  '/v1/images/edits',
  '/v1/images/generations',
  '/v1/moderations',
  '/v1/responses',
]);

const notFound = (): Reply =>
  jsonReply(404, openAiErrorBody({ ...invalidRequest('No such object.', null), status: 404 }));
const unauthorized = (): Reply => jsonReply(401, openAiErrorBody(openAiFailure(401)));

interface BatchFault {
  readonly code: string;
  readonly line: number;
  readonly message: string;
  readonly param: string | null;
}

/** All lines have one endpoint and one model. */
function linesIn(bytes: Buffer, endpoint: string): { lines: BatchLine[]; errors: BatchFault[] } {
  const lines: BatchLine[] = [];
  const errors: BatchFault[] = [];
  const seen = new Set<string>();
  for (const [at, text] of bytes.toString().trim().split('\n').entries()) {
    const row = jsonOf(text);
    const read = isObject(row) && isObject(row['body']) ? lineOf(row, row['body']) : undefined;
    const code = faultOf(read, { row, endpoint, seen, model: lines[0]?.body['model'] });
    if (read === undefined || code !== undefined)
      errors.push({
        code: code ?? 'invalid_json_line',
        line: at + 1,
        message: 'Simulated: the line is invalid.',
        param: null,
      });
    else lines.push(read);
    if (read !== undefined) seen.add(read.customId);
  }
  return { lines, errors };
}

const lineOf = (row: JsonObject, body: JsonObject): BatchLine => ({
  customId: String(row['custom_id'] ?? ''),
  path: String(row['url']),
  body,
});

interface LineGround {
  row: unknown;
  endpoint: string;
  seen: ReadonlySet<string>;
  model: unknown;
}

function faultOf(read: BatchLine | undefined, { row, endpoint, seen, model }: LineGround): string | undefined {
  if (read === undefined || !isObject(row)) return 'invalid_json_line';
  if (read.customId === '') return 'missing_required_parameter';
  if (seen.has(read.customId)) return 'duplicate_custom_id';
  if (row['method'] !== 'POST') return 'invalid_method';
  if (read.path !== endpoint) return 'mismatched_endpoint';
  return model !== undefined && model !== read.body['model'] ? 'mismatched_model' : undefined;
}

const outputLine = ({ customId, status, body }: BatchLineResult) => ({
  id: `batch_req_${contentHash(customId).slice(0, 24)}`,
  custom_id: customId,
  response: { status_code: status, request_id: `req_${contentHash(customId).slice(0, 24)}`, body },
  error: null,
});

const unansweredLine = (customId: string, { ending }: SimulatedBatch) => ({
  id: `batch_req_${contentHash(customId).slice(0, 24)}`,
  custom_id: customId,
  response: null,
  error:
    ending === 'expired'
      ? { code: 'batch_expired', message: 'This request could not be executed before the completion window expired.' }
      : { code: 'batch_cancelled', message: 'This request was cancelled.' },
});

function statusOf({ state, looks, ending }: SimulatedBatch): string {
  if (state === 'ended') return ending;
  if (state === 'canceling') return 'cancelling';
  return ['validating', 'in_progress', 'finalizing'][Math.min(looks, 2)] ?? 'in_progress';
}

function batchDocument(batch: SimulatedBatch): object {
  const { id, createdAt, given, lines, results } = batch;
  const errors = given['errors'];
  const failed = results.filter(({ status }) => status !== 200).length + batch.unanswered.length;
  return {
    id,
    object: 'batch',
    endpoint: given['endpoint'],
    errors: Array.isArray(errors) && errors.length > 0 ? { object: 'list', data: errors } : null,
    input_file_id: given['input_file_id'],
    completion_window: '24h',
    status: statusOf(batch),
    output_file_id: given['output_file_id'] ?? null,
    error_file_id: given['error_file_id'] ?? null,
    created_at: createdAt,
    expires_at: createdAt + 86_400,
    request_counts: { total: lines.length, completed: results.length, failed },
    metadata: given['metadata'] ?? null,
  };
}

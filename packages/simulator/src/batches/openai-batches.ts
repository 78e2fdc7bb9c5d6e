import {
  type ArrivedRequest,
  contentHash,
  type FamilySettings,
  invalidRequest,
  isObject,
  type JsonObject,
  jsonOf,
  jsonReply,
  type Reply,
  type VendorRoute,
} from '@tallyport/sandbox';
import { refusalOf } from '../compatible/dialect.ts';
import type { BatchDesk, BatchLine, SimulatedBatch } from './batch-desk.ts';
import { pageOfBatches } from './batch-page.ts';
import { batchesOfFiles, batchRoutesOf } from './batch-routes.ts';
import { createResultFiles } from './result-files.ts';
import { contentsOf, createVendorFiles, type UploadFields, type VendorFiles } from './vendor-files.ts';

const openAi = { id: 'openai' };
const root = '/batches';

/** Files and batches of OpenAI. */
export function openAiBatchRoutes(desk: BatchDesk, settings: FamilySettings): VendorRoute[] {
  const files = createVendorFiles({
    now: settings.now,
    idOf: (digits) => `file-${digits.slice(0, 24)}`,
    refuse: refuseUpload,
  });
  const resultFiles = createResultFiles(files);
  const routeOf = batchRoutesOf(openAi, settings);
  const document = (batch: SimulatedBatch): object => {
    const { output, errors } = resultFiles(batch);
    return { ...batchDocument(batch), output_file_id: output ?? null, error_file_id: errors ?? null };
  };
  return [
    ...batchesOfFiles(routeOf, {
      desk,
      files,
      root,
      cancel: '/cancel',
      create: (request) => created(request, { desk, files }),
      document,
    }),
    routeOf('GET', root, (request) => {
      const page = pageOfBatches(request, { batches: desk.lookAtAll(request), document, after: 'after' });
      return jsonReply(200, { object: 'list', ...page });
    }),
  ];
}

const refusal = (message: string, param: string | null): Reply => refusalOf(openAi, invalidRequest(message, param));

function refuseUpload(fields: UploadFields): Reply | undefined {
  const { file, purpose } = contentsOf(fields);
  if (file === undefined) return refusal('file is a required property', 'file');
  return purposes.test(purpose?.toString() ?? '') ? undefined : refusal('Invalid purpose', 'purpose');
}

const purposes = /^(assistants|batch|fine-tune|vision|user_data|evals)$/;

function created(
  request: ArrivedRequest,
  { desk, files }: { desk: BatchDesk; files: VendorFiles },
): SimulatedBatch | Reply {
  const body = jsonOf(request.body.toString());
  if (!isObject(body)) return refusal('We could not parse the JSON body of your request.', null);
  const { input_file_id: input, endpoint, completion_window: window } = body;
  if (!endpoints.has(String(endpoint))) return refusal('Invalid endpoint', 'endpoint');
  if (window !== '24h') return refusal('Invalid completion_window', 'completion_window');
  const bytes = files.read(request, input);
  if (bytes === undefined) return refusal('Invalid input_file_id', 'input_file_id');
  const { lines, errors } = linesIn(bytes, String(endpoint));
  const id = `batch_${contentHash(`${desk.opened.length}/${String(input)}`).slice(0, 24)}`;
  return desk.open(request, { id, lines, given: { ...body, errors }, fails: errors.length > 0 });
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
    created_at: createdAt,
    expires_at: createdAt + 86_400,
    request_counts: { total: lines.length, completed: results.length, failed },
    metadata: given['metadata'] ?? null,
  };
}

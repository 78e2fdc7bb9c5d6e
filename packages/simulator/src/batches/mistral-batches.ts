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
import { basePathOf } from '../bases.ts';
import { refusalOf } from '../compatible/dialect.ts';
import { mistralVendor } from '../compatible/vendors/mistral.ts';
import type { BatchDesk, BatchLine, SimulatedBatch } from './batch-desk.ts';
import { batchesOfFiles, batchRoutesOf } from './batch-routes.ts';
import { linesInFile } from './lines-in-file.ts';
import { createResultFiles } from './result-files.ts';
import { contentsOf, createVendorFiles, type UploadFields, type VendorFiles } from './vendor-files.ts';

const root = '/batch/jobs';

/** Files and batch jobs of Mistral. */
export function mistralBatchRoutes(desk: BatchDesk, settings: FamilySettings): VendorRoute[] {
  const files = createVendorFiles({ now: settings.now, idOf: uuidOf, refuse: refuseUpload });
  const resultFiles = createResultFiles(files);
  const routeOf = batchRoutesOf(mistralVendor, settings);
  const document = (batch: SimulatedBatch): object => {
    const { output, errors } = resultFiles(batch);
    return { ...jobDocument(batch), output_file: output ?? null, error_file: errors ?? null };
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
    routeOf('GET', root, (request) => jsonReply(200, pageOf(request, desk.lookAtAll(request).map(document)))),
  ];
}

const uuidOf = (digits: string): string => digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');

const refusal = (message: string): Reply => refusalOf(mistralVendor, invalidRequest(message, null));

function refuseUpload(fields: UploadFields): Reply | undefined {
  const { file, purpose } = contentsOf(fields);
  if (file === undefined) return refusal('A file is required.');
  return purpose?.toString() === 'batch' ? undefined : refusal('The purpose of the file is not known.');
}

/** Answers only lines of these, as the vendor's other endpoints are not simulated. */
const endpoints: ReadonlySet<string> = new Set(['/v1/chat/completions', '/v1/embeddings', '/v1/moderations']);

function created(
  request: ArrivedRequest,
  { desk, files }: { desk: BatchDesk; files: VendorFiles },
): SimulatedBatch | Reply {
  const body = jsonOf(request.body.toString());
  if (!isObject(body)) return refusal('The body is no JSON.');
  const { input_files: inputs, endpoint, model } = body;
  if (!endpoints.has(String(endpoint))) return refusal('The endpoint is not supported.');
  if (typeof model !== 'string') return refusal('A model or an agent is required.');
  const [input] = Array.isArray(inputs) ? inputs : [];
  const bytes = files.read(request, input);
  if (bytes === undefined) return refusal('The input file is not known.');
  const path = basePathOf('mistral') + String(endpoint).slice('/v1'.length);
  const lines = linesInFile(bytes, (row, line) => lineOf(row, { path, body: { ...line, model } }));
  const id = uuidOf(contentHash(`${desk.opened.length}/${String(input)}`).slice(0, 32));
  const order = { id, given: { ...body, wrong: 'wrong' in lines ? lines.wrong : undefined } };
  return desk.open(request, 'wrong' in lines ? { ...order, lines: [], fails: true } : { ...order, lines });
}

const lineOf = ({ custom_id: id }: JsonObject, line: Pick<BatchLine, 'path' | 'body'>): BatchLine | undefined =>
  typeof id === 'string' ? { customId: id, ...line } : undefined;

const endings = { cancelled: 'CANCELLED', completed: 'SUCCESS', expired: 'TIMEOUT_EXCEEDED', failed: 'FAILED' };

function statusOf({ state, looks, ending }: SimulatedBatch): string {
  if (state === 'ended') return endings[ending];
  if (state === 'canceling') return 'CANCELLATION_REQUESTED';
  return looks === 0 ? 'QUEUED' : 'RUNNING';
}

function jobDocument(batch: SimulatedBatch): object {
  const { id, createdAt, given, lines, looks, results, state } = batch;
  const succeeded = results.filter(({ status }) => status === 200).length;
  return {
    id,
    object: 'batch',
    input_files: given['input_files'],
    metadata: given['metadata'] ?? null,
    endpoint: given['endpoint'],
    model: given['model'],
    agent_id: null,
    errors: given['wrong'] === undefined ? [] : [{ message: given['wrong'], count: 1 }],
    outputs: null,
    status: statusOf(batch),
    created_at: createdAt,
    total_requests: lines.length,
    completed_requests: results.length,
    succeeded_requests: succeeded,
    failed_requests: results.length - succeeded,
    started_at: looks === 0 ? null : createdAt,
    completed_at: state === 'ended' ? createdAt : null,
  };
}

/** The oldest first, unless the newest are asked for. */
function pageOf({ query }: ArrivedRequest, newestFirst: readonly object[]): object {
  const asked = new URLSearchParams(query);
  const jobs = asked.get('order_by') === '-created' ? newestFirst : newestFirst.toReversed();
  const size = Number(asked.get('page_size') ?? 100);
  const from = Number(asked.get('page') ?? 0) * size;
  return { data: jobs.slice(from, from + size), object: 'list', total: jobs.length };
}

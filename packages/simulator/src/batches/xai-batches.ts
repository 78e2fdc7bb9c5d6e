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
import { xaiVendor } from '../compatible/vendors/xai.ts';
import type { BatchDesk, BatchLine, BatchLineResult, SimulatedBatch } from './batch-desk.ts';
import { batchesOfFiles, batchRoutesOf, idIn } from './batch-routes.ts';
import { linesInFile } from './lines-in-file.ts';
import { contentsOf, createVendorFiles, type UploadFields, type VendorFiles } from './vendor-files.ts';

const root = '/batches';

/** Files, and batches of files, of xAI. */
export function xaiBatchRoutes(desk: BatchDesk, settings: FamilySettings): VendorRoute[] {
  const files = createVendorFiles({ now: settings.now, idOf: (digits) => `file_${digits}`, refuse: refuseUpload });
  const routeOf = batchRoutesOf(xaiVendor, settings);
  return [
    ...batchesOfFiles(routeOf, {
      desk,
      files,
      root,
      cancel: ':cancel',
      create: (request) => created(request, { desk, files }),
      document,
    }),
    routeOf('GET', root, (request) => {
      const { page, token } = pageOf(request, desk.lookAtAll(request));
      return jsonReply(200, { batches: page.map(document), pagination_token: token });
    }),
    routeOf('GET', `${root}/[^/:]+/results`, (request) => {
      const batch = desk.find(request, idIn(request, root));
      if (batch === undefined) return undefined;
      const { page, token } = pageOf(request, resultRows(batch));
      return jsonReply(200, { results: page, pagination_token: token });
    }),
  ];
}

const refusal = (message: string): Reply => refusalOf(xaiVendor, invalidRequest(message, null));

function refuseUpload(fields: UploadFields): Reply | undefined {
  const names = fields.map(({ name }) => name);
  if (!names.includes('file')) return refusal('A file is required.');
  if (names.indexOf('expires_after') > names.indexOf('file')) return refusal('expires_after must come before file.');
  const expiry = contentsOf(fields)['expires_after'];
  const isExpiry = expiry === undefined || /^\d{4,7}$/.test(expiry.toString());
  return isExpiry ? undefined : refusal('expires_after must be a number of seconds.');
}

function created(
  request: ArrivedRequest,
  { desk, files }: { desk: BatchDesk; files: VendorFiles },
): SimulatedBatch | Reply {
  const body = jsonOf(request.body.toString());
  if (!isObject(body) || typeof body['name'] !== 'string') return refusal('A name is required.');
  const { name, input_file_id: input } = body;
  const bytes = files.read(request, input);
  if (bytes === undefined) return refusal('The input file is not known.');
  const lines = linesInFile(bytes, lineOf);
  const id = `batch_${contentHash(`${desk.opened.length}/${String(input)}`).slice(0, 32)}`;
  const order = { id, given: { name, input_file_id: input, wrong: 'wrong' in lines ? lines.wrong : undefined } };
  return desk.open(request, 'wrong' in lines ? { ...order, lines: [], fails: true } : { ...order, lines });
}

function lineOf({ custom_id: id, method, url }: JsonObject, body: JsonObject): BatchLine | undefined {
  if (typeof id !== 'string' || method !== 'POST' || url !== '/v1/chat/completions') return undefined;
  return unbatched.test(String(body['model']))
    ? undefined
    : { customId: id, path: `${basePathOf('xai')}/chat/completions`, body };
}

/** Not every model is answered in batches. */
const unbatched = /^grok-(4\.[5-9]|code)/;

/** Times are dates. A batch that is cancelled, or whose file is wrong, has one. */
function document({ id, createdAt, state, ending, looks, lines, results, unanswered, given }: SimulatedBatch): object {
  const succeeded = results.filter(({ status }) => status === 200).length;
  const hasEnded = state === 'ended';
  const isRead = hasEnded || looks > 0;
  const isCancelled = state === 'canceling' || (hasEnded && ending !== 'completed');
  return {
    batch_id: id,
    name: given['name'],
    create_time: dateOf(createdAt),
    expire_time: dateOf(createdAt + 30 * 86_400),
    create_api_key_id: '********',
    cancel_time: isCancelled ? dateOf(createdAt) : null,
    cancel_by_xai_message: messageOf(ending, given['wrong']),
    state: {
      num_requests: isRead ? lines.length : 0,
      num_pending: isRead && !hasEnded ? lines.length : 0,
      num_success: succeeded,
      num_error: results.length - succeeded,
      num_cancelled: unanswered.length,
    },
    input_file_id: given['input_file_id'],
  };
}

const dateOf = (seconds: number): string => new Date(seconds * 1_000).toISOString().slice(0, 10);

function messageOf(ending: SimulatedBatch['ending'], wrong: unknown): string | null {
  if (ending === 'failed') return `JSONL file validation failed: ${String(wrong)}`;
  return ending === 'expired' ? 'The batch took too long.' : null;
}

const resultRows = ({ results, unanswered }: SimulatedBatch): object[] => [
  ...unanswered.map((id) => failedRow(id, { code: 1, message: 'Cancelled.' })),
  ...results.map(resultRow),
];

function resultRow({ customId, status, body, dollars }: BatchLineResult): object {
  if (status !== 200) return failedRow(customId, { code: 3, message: String(body['error']) });
  const answer = { ...body, usage: billedUsage(body['usage'], dollars) };
  return {
    batch_request_id: customId,
    batch_result: { response: { chat_get_completion: answer }, error: { code: 0, message: '' } },
  };
}

const failedRow = (id: string, error: { code: number; message: string }) => ({
  batch_request_id: id,
  batch_result: { error },
  error_message: error.message,
});

/** The cost is the one that is billed, after the discount of batches. */
const billedUsage = (usage: unknown, dollars: string | undefined): object => ({
  ...(isObject(usage) ? usage : {}),
  ...(dollars !== undefined && { cost_in_usd_ticks: Math.round(Number(dollars) * 10_000_000_000) }),
});

/** Pages may be shorter than asked for. */
const pageSize = 2;

function pageOf<Item>({ query }: ArrivedRequest, all: readonly Item[]): { page: Item[]; token: string | null } {
  const asked = new URLSearchParams(query);
  const from = Number(asked.get('pagination_token') ?? 0);
  const end = from + Math.min(pageSize, Number(asked.get('limit') ?? pageSize));
  return { page: all.slice(from, end), token: end < all.length ? String(end) : null };
}

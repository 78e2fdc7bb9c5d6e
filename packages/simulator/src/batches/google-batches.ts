import {
  type ArrivedRequest,
  bytesReply,
  contentHash,
  type FamilySettings,
  formParts,
  isObject,
  jsonOf,
  type JsonObject,
  jsonReply,
  type Reply,
  type VendorRoute,
} from '@tallyport/sandbox';
import { keyLabelOf } from '../bill/key-label.ts';
import { eventDialect } from '../google/dialect.ts';
import { type GoogleError, googleErrorReply, googleInvalid, googleUnknownModel } from '../google/errors.ts';
import { refuseGoogleKey } from '../google/refuse-key.ts';
import { camelCased } from '../google/spelling.ts';
import type { BatchDesk, BatchLine, BatchLineResult, SimulatedBatch } from './batch-desk.ts';
import { inJsonLines } from './json-lines.ts';
import { createVendorFiles, type VendorFiles } from './vendor-files.ts';

const version = 'v1(?:beta)?';
const root = `/google/${version}`;

/**
 * Batches of the Gemini API, whose lines are in a file. A fault can be limited to files, or to batches, by the models `file`
 * and `batch`.
 */
export function googleBatchRoutes(desk: BatchDesk, { apiKeys, now }: FamilySettings): VendorRoute[] {
  const files = createVendorFiles({ now, idOf: (digits) => digits, refuse: () => undefined });
  const routeOf = (
    method: VendorRoute['method'],
    path: string,
    { model, answer }: { model: 'file' | 'batch'; answer: (request: ArrivedRequest) => Reply | undefined },
  ): VendorRoute => ({
    method,
    path: new RegExp(`^${path}$`),
    provider: 'google',
    faulty: true,
    dialect: eventDialect,
    answer(request) {
      const error = refuseGoogleKey(request, apiKeys);
      return { model, answer: error ? googleErrorReply(error) : (answer(request) ?? googleErrorReply(notFound)) };
    },
  });
  const shown = (batch: SimulatedBatch | undefined): Reply | undefined =>
    batch && jsonReply(200, operationOf(withFile(batch, files)));
  return [
    routeOf('POST', `/google/upload/${version}/files`, { model: 'file', answer: (request) => upload(request, files) }),
    routeOf('GET', `/google/(?:download/)?${version}/files/[^/:]+:download`, {
      model: 'file',
      answer(request) {
        const bytes = files.read(request, lastOf(request));
        return bytes ? bytesReply(bytes, { 'content-type': 'application/jsonl' }) : googleErrorReply(noFile);
      },
    }),
    routeOf('POST', `${root}/models/[^/:]+:batchGenerateContent`, {
      model: 'batch',
      answer(request) {
        const batch = created(request, { desk, files });
        return 'code' in batch ? googleErrorReply(batch) : shown(batch);
      },
    }),
    routeOf('GET', `${root}/batches`, {
      model: 'batch',
      answer: (request) =>
        jsonReply(
          200,
          pageOf(
            request,
            desk.lookAtAll(request).map((batch) => operationOf(withFile(batch, files))),
          ),
        ),
    }),
    routeOf('GET', `${root}/batches/[^/:]+`, {
      model: 'batch',
      answer: (request) => shown(desk.look(request, lastOf(request))),
    }),
    routeOf('POST', `${root}/batches/[^/:]+:cancel`, {
      model: 'batch',
      answer: (request) => desk.cancel(request, lastOf(request)) && jsonReply(200, {}),
    }),
  ];
}

const lastOf = ({ path }: ArrivedRequest): string => /([^/:]+)(?::[a-zA-Z]+)?$/.exec(path)?.[1] ?? '';
const notFound: GoogleError = { code: 404, status: 'NOT_FOUND', message: 'Requested entity was not found.' };
const noFile: GoogleError = {
  code: 403,
  status: 'PERMISSION_DENIED',
  message: 'Simulated: the file belongs to another key, or there is none.',
};

/** In two parts: what the file is, and its content. */
function upload(request: ArrivedRequest, files: VendorFiles): Reply {
  const [about, file] = formParts(request.body, request.headers['content-type']) ?? [];
  if (request.headers['x-goog-upload-protocol'] !== 'multipart' || !isObject(jsonOf(about?.content.toString() ?? '')))
    return googleErrorReply(googleInvalid('Simulated: the upload has no metadata.'));
  if (file === undefined) return googleErrorReply(googleInvalid('Simulated: the upload has no content.'));
  const name = `files/${files.keep({ owner: keyLabelOf(request), bytes: file.content })}`;
  return jsonReply(200, { file: { name, state: 'ACTIVE', sizeBytes: String(file.content.length) } });
}

function created(
  request: ArrivedRequest,
  { desk, files }: { desk: BatchDesk; files: VendorFiles },
): SimulatedBatch | GoogleError {
  const model = decodeURIComponent(/models\/([^/:]+):/.exec(request.path)?.[1] ?? '');
  if (!model.startsWith('gemini')) return googleUnknownModel(model);
  const body = camelCased(jsonOf(request.body.toString()));
  const { displayName, inputConfig } = isObject(body) && isObject(body['batch']) ? body['batch'] : ({} as JsonObject);
  if (typeof displayName !== 'string')
    return googleInvalid('* BatchGenerateContentRequest.batch.display_name: required');
  const name = isObject(inputConfig) ? String(inputConfig['fileName']) : '';
  const bytes = files.read(request, name.replace(/^files\//, ''));
  if (bytes === undefined) return noFile;
  const lines = linesIn(bytes, model);
  return desk.open(request, {
    id: contentHash(`${desk.opened.length}/${name}`).slice(0, 36),
    lines: lines ?? [],
    given: { model: `models/${model}`, displayName, inputConfig: { fileName: name } },
    fails: lines === undefined,
    isAllOrNothing: true,
  });
}

/** `undefined` if a line is none. */
function linesIn(bytes: Buffer, model: string): BatchLine[] | undefined {
  const lines: BatchLine[] = [];
  for (const text of bytes.toString().trim().split('\n')) {
    const row = jsonOf(text);
    if (!isObject(row) || !isObject(row['request'])) return undefined;
    const path = `/google/v1beta/models/${encodeURIComponent(model)}:generateContent`;
    lines.push({ customId: String(row['key'] ?? ''), path, body: row['request'] });
  }
  return lines;
}

/** The file of a completed batch is made when it is first seen. */
function withFile(batch: SimulatedBatch, files: VendorFiles): SimulatedBatch {
  const { given, results, owner } = batch;
  if (batch.state !== 'ended' || batch.ending !== 'completed' || given['made'] === true) return batch;
  const bytes = inJsonLines(results.map(resultLine));
  Object.assign(given, { made: true, responsesFile: `files/${files.keep({ owner, bytes })}` });
  return batch;
}

const resultLine = ({ customId, status, body }: BatchLineResult): object =>
  status === 200 ? { key: customId, response: body } : { key: customId, error: statusOf(body) };

/** Errors of lines have the code of gRPC. */
const statusOf = ({ error }: JsonObject): object => ({
  code: 13,
  message: isObject(error) ? String(error['message']) : 'Internal error',
});

const endings: Readonly<Record<SimulatedBatch['ending'], string>> = {
  completed: 'SUCCEEDED',
  expired: 'EXPIRED',
  cancelled: 'CANCELLED',
  failed: 'FAILED',
};

function operationOf({ id, createdAt, state, ending, looks, given, lines, results }: SimulatedBatch): object {
  const { model, displayName, inputConfig, responsesFile } = given;
  const name = `batches/${id}`;
  const at = new Date(createdAt * 1_000).toISOString();
  const isDone = state === 'ended';
  const running = looks === 0 ? 'PENDING' : 'RUNNING';
  const succeeded = results.filter(({ status }) => status === 200).length;
  const output = responsesFile === undefined ? undefined : { responsesFile };
  return {
    name,
    metadata: {
      '@type': 'type.googleapis.com/google.ai.generativelanguage.v1main.GenerateContentBatch',
      model,
      displayName,
      inputConfig,
      createTime: at,
      updateTime: at,
      ...(isDone && { endTime: at }),
      batchStats: {
        requestCount: String(lines.length),
        successfulRequestCount: String(succeeded),
        failedRequestCount: String(results.length - succeeded),
        pendingRequestCount: String(lines.length - results.length),
      },
      state: `BATCH_STATE_${isDone ? endings[ending] : running}`,
      name,
      ...(output && { output }),
    },
    ...(isDone && { done: true }),
    ...(output && { response: output }),
    ...(isDone && !output && { error: { code: ending === 'cancelled' ? 1 : 13, message: `Simulated: ${ending}.` } }),
  };
}

function pageOf({ query }: ArrivedRequest, operations: readonly object[]): object {
  const asked = new URLSearchParams(query);
  const from = Number(asked.get('pageToken') ?? 0);
  const to = from + Number(asked.get('pageSize') ?? 50);
  return {
    operations: operations.slice(from, to),
    ...(to < operations.length && { nextPageToken: String(to) }),
  };
}

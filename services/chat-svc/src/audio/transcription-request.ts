import { GatewayError, type RequestHead } from '@tallyport/contracts';
import { transcriptFields } from '@tallyport/endpoints';
import { type TranscriptFormat, type TranscriptionCall, transcriptFormats } from '@tallyport/providers';
import { type AskedRouting, askedRouting, isRoutingField, type PromptFacts, routingInForm } from '@tallyport/serving';
import { boundaryOf, type MultipartPart, splitForm } from '@tallyport/wire';

interface TranscriptionRequest extends Pick<AskedRouting, 'standIns' | 'preferences'> {
  model: string;
  call: TranscriptionCall;
}

/** Checks a form. Throws `invalid_parameters` with the name of the part. Its contents are not copied. */
export function asTranscriptionRequest(
  task: TranscriptionCall['task'],
  body: Uint8Array,
  head: FormHead,
): TranscriptionRequest {
  const contentType = head.headers['content-type'] ?? '';
  const form = splitForm(body, contentType);
  if ('problem' in form) throw new GatewayError('invalid_parameters', `The form is invalid: ${form.problem}.`);
  return readTranscription(task, { parts: form.parts, boundary: boundaryOf(contentType) }, head);
}

/** Its tokens are known after it was heard. */
export const transcriptionFacts: PromptFacts = { tokens: () => 0, modalities: () => ['audio'] };

type FormHead = Pick<RequestHead, 'headers' | 'model'>;

interface ReadForm {
  parts: readonly MultipartPart[];
  boundary: string;
}

/** Reads the parts of a form. Throws like `asTranscriptionRequest`. */
export function readTranscription(
  task: TranscriptionCall['task'],
  { parts, boundary }: ReadForm,
  head: FormHead,
): TranscriptionRequest {
  const fields = parts.filter(({ name }) => !readHere.includes(name) && !isRoutingField(name));
  const unknown = fields.find(({ name }) => !transcriptFields[task].has(name));
  if (unknown !== undefined) throw invalid(unknown.name, 'is not a known field');
  const stream = textOf(parts, 'stream') === 'true';
  const call: TranscriptionCall = {
    task,
    file: fileIn(parts),
    fields: fields.filter(({ name }) => name !== 'stream' || stream),
    boundary,
    format: formatIn(parts),
    stream,
  };
  if (stream && !call.format.endsWith('json')) throw invalid('response_format', 'must be JSON with `stream`');
  return { ...routingIn(parts, head), call };
}

const readHere: readonly string[] = ['file', 'model', 'response_format'];

function routingIn(
  parts: readonly MultipartPart[],
  { headers, model: addressed }: FormHead,
): Omit<TranscriptionRequest, 'call'> {
  const routing = parts.filter(({ name }) => isRoutingField(name));
  const given = { model: addressed ?? textOf(parts, 'model') };
  const members = routingInForm(routing.map(({ name, content }) => ({ name, text: startOf(content) })));
  const { model = given.model, standIns, preferences } = askedRouting({ ...given, ...members }, { headers });
  if (typeof model !== 'string' || model === '') throw invalid('model', 'must be the name of a model');
  return { model, standIns, preferences };
}

/** More than a field about routing may have. */
const startOf = (content: Uint8Array): string => Buffer.from(content.subarray(0, 64 * 1024)).toString();

function fileIn(parts: readonly MultipartPart[]): MultipartPart {
  const files = parts.filter(({ name }) => name === 'file');
  const [file] = files;
  if (file === undefined || files.length > 1) throw invalid('file', 'must be one file');
  if (file.fileName === undefined || file.fileName === '') throw invalid('file', 'must have a file name');
  if (file.content.length === 0) throw invalid('file', 'must not be empty');
  return file;
}

function formatIn(parts: readonly MultipartPart[]): TranscriptFormat {
  const given = textOf(parts, 'response_format') ?? 'json';
  const format = transcriptFormats.find((each) => each === given);
  if (format === undefined) throw invalid('response_format', `must be one of ${transcriptFormats.join(', ')}`);
  return format;
}

function textOf(parts: readonly MultipartPart[], name: string): string | undefined {
  const part = parts.find((each) => each.name === name);
  return part && Buffer.from(part.content).toString('utf8');
}

const invalid = (param: string, why: string): GatewayError =>
  new GatewayError('invalid_parameters', `\`${param}\` ${why}.`, { param });

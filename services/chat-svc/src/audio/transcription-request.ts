import { GatewayError, type RequestHead } from '@tallyport/contracts';
import { transcriptFields } from '@tallyport/endpoints';
import { type TranscriptFormat, type TranscriptionCall, transcriptFormats } from '@tallyport/providers';
import { boundaryOf, type MultipartPart, splitForm } from '@tallyport/wire';

/** Checks a form. Throws `invalid_parameters` with the name of the part. Its contents are not copied. */
export function asTranscriptionRequest(
  task: TranscriptionCall['task'],
  body: Uint8Array,
  { headers: { 'content-type': contentType = '' }, model: addressed }: Pick<RequestHead, 'headers' | 'model'>,
): { model: string; call: TranscriptionCall } {
  const form = splitForm(body, contentType);
  if ('problem' in form) throw new GatewayError('invalid_parameters', `The form is invalid: ${form.problem}.`);
  const { parts } = form;
  const fields = parts.filter(({ name }) => !['file', 'model', 'response_format'].includes(name));
  const unknown = fields.find(({ name }) => !transcriptFields[task].has(name));
  if (unknown !== undefined) throw invalid(unknown.name, 'is not a known field');
  const stream = textOf(parts, 'stream') === 'true';
  const call: TranscriptionCall = {
    task,
    file: fileIn(parts),
    fields: fields.filter(({ name }) => name !== 'stream' || stream),
    boundary: boundaryOf(contentType),
    format: formatIn(parts),
    stream,
  };
  if (stream && !call.format.endsWith('json')) throw invalid('response_format', 'must be JSON with `stream`');
  const model = addressed ?? textOf(parts, 'model');
  if (model === undefined || model === '') throw invalid('model', 'must be the name of a model');
  return { model, call };
}

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

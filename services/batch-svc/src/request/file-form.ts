import { Busboy, type BusboyFileStream, type BusboyInstance } from '@fastify/busboy';
import type { ByteStream } from '@tallyport/bus';
import { GatewayError } from '@tallyport/contracts';
import { boundaryOf } from '@tallyport/wire';

/** The file of a form, as it arrives. */
export interface FilePart {
  /** `undefined` if the client sent none. */
  filename: string | undefined;
  /** As the client declared it; `undefined` if it did not. */
  mediaType: string | undefined;
  pieces: AsyncIterable<Uint8Array>;
}

interface FileForm<Stored> {
  fields: ReadonlyMap<string, string>;
  /** What became of the file. */
  stored: Stored;
}

interface FormSource {
  body: ByteStream;
  contentType: string;
}

const mostFields = 16;
const longestField = 1_024;
/** RFC 2046, section 5.1.1. Longer ones would make parsing slow for a body full of partial boundaries. */
const longestBoundary = 70;

/**
 * Reads a form with one file, which `store` gets piece by piece. When this rejects, the pieces have ended, with an error if
 * `store` still reads them, and `store` has ended as well.
 */
export async function readFileForm<Stored>(
  { body, contentType }: FormSource,
  store: (part: FilePart) => Promise<Stored>,
): Promise<FileForm<Stored>> {
  const parser = createParser(contentType);
  const form = collect(parser, store);
  const end = (thrown: unknown): never => {
    body.cancel();
    form.breakOff(thrown);
    parser.destroy();
    throw thrown;
  };
  const fed = feed(parser, body).then(() => form.parsed);
  try {
    await Promise.race([Promise.all([fed, form.parsed]), form.failed]).catch(end);
    if (form.stored === undefined) throw invalid('file', 'is missing; send it as a file of the form');
    return { fields: form.fields, stored: await form.stored };
  } catch (error) {
    await form.stored?.catch(() => undefined);
    throw error;
  }
}

function createParser(contentType: string): BusboyInstance {
  const boundary = boundaryOf(contentType);
  if (boundary === '') throw broken('its content-type has no boundary');
  if (boundary.length > longestBoundary) throw broken(`its boundary is longer than ${longestBoundary} characters`);
  // Written anew: the parser may find another boundary in what the client wrote than the one that was measured.
  const headers = { 'content-type': `multipart/form-data; boundary="${boundary}"` };
  const limits = { fields: mostFields, files: 2, parts: mostFields + 2, fieldSize: longestField };
  return new Busboy({ headers, limits, isPartAFile: isFile });
}

/** Decided by the name as well, because some clients send no file name. */
const isFile = (name: string | undefined, _type: string | undefined, filename: string | undefined): boolean =>
  name === 'file' || filename !== undefined;

async function feed(parser: BusboyInstance, body: ByteStream): Promise<void> {
  for await (const { buffer, byteOffset, byteLength } of body) {
    if (parser.destroyed) return;
    if (!parser.write(Buffer.from(buffer, byteOffset, byteLength))) await drained(parser);
  }
  if (!parser.destroyed) parser.end();
}

const drained = (parser: BusboyInstance): Promise<void> =>
  new Promise((resolve) => {
    const resume = (): void => {
      for (const event of events) parser.off(event, resume);
      resolve();
    };
    for (const event of events) parser.once(event, resume);
  });

const events = ['drain', 'close', 'error'] as const;

interface CollectedForm<Stored> {
  fields: ReadonlyMap<string, string>;
  stored: Promise<Stored> | undefined;
  parsed: Promise<void>;
  /** Rejects if the file cannot be stored. */
  failed: Promise<never>;
  breakOff(error: unknown): void;
}

function collect<Stored>(parser: BusboyInstance, store: (part: FilePart) => Promise<Stored>): CollectedForm<Stored> {
  const fields = new Map<string, string>();
  const failed = Promise.withResolvers<never>();
  const parsed = Promise.withResolvers<void>();
  let stream: BusboyFileStream | undefined;
  const form: CollectedForm<Stored> = {
    fields,
    stored: undefined,
    parsed: parsed.promise,
    failed: failed.promise,
    breakOff: (error) => void stream?.destroy(error instanceof Error ? error : undefined),
  };
  parser.on('field', (...[name, value, , isTruncated]) => {
    if (isTruncated) return parsed.reject(invalid(name, `is longer than ${longestField} bytes`));
    if (fields.has(name)) return parsed.reject(invalid(name, 'is in the form twice'));
    return void fields.set(name, value);
  });
  // oxlint-disable-next-line max-params -- the parser passes a part as five arguments
  parser.on('file', (name, part, filename, _encoding, mediaType) => {
    part.on('error', () => undefined);
    if (name !== 'file' || stream !== undefined) {
      parsed.reject(name === 'file' ? invalid('file', 'must be one file') : invalid(name, 'is no file of this form'));
      part.resume();
      return;
    }
    stream = part;
    form.stored = store({ filename, mediaType: declared(mediaType), pieces: part });
    form.stored.catch(failed.reject);
  });
  parser.on('fieldsLimit', () => parsed.reject(broken(`it has more than ${mostFields} fields`)));
  parser.on('partsLimit', () => parsed.reject(broken('it has too many parts')));
  parser.on('filesLimit', () => parsed.reject(invalid('file', 'must be one file')));
  parser.on('error', (cause) => parsed.reject(broken('it cannot be read', cause)));
  parser.on('finish', parsed.resolve);
  // Avoids unhandled rejections if another of them is first.
  for (const promise of [parsed.promise, failed.promise]) promise.catch(() => undefined);
  return form;
}

/** Parsers and clients write this for a file of an unknown type. */
const unknownType = 'application/octet-stream';

const declared = (mediaType: string): string | undefined =>
  mediaType === '' || mediaType === unknownType ? undefined : mediaType;

const invalid = (param: string, why: string): GatewayError =>
  new GatewayError('invalid_parameters', `${param} ${why}.`, { param });

const broken = (why: string, cause?: unknown): GatewayError =>
  new GatewayError('invalid_parameters', `The form is invalid: ${why}.`, { cause });

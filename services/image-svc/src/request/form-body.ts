import { Busboy, type BusboyFileStream, type BusboyInstance } from '@fastify/busboy';
import type { ByteStream } from '@tallyport/bus';
import { GatewayError } from '@tallyport/contracts';
import { type Base64Slices, createBase64Encoder } from '@tallyport/dispatch';
import { isRoutingField } from '@tallyport/serving';
import { invalidMember } from './members.ts';
import { type UploadBounds, countedPieces } from './body-pieces.ts';

/** A form; only its fields and its images, as base64 text, are kept in memory. */
interface ImageForm {
  fields: Readonly<Record<string, unknown>>;
  /** The fields about routing, of which several may have one name. */
  routing: readonly { name: string; text: string }[];
  files: readonly Base64Slices[];
  mask: Base64Slices | undefined;
}

interface FormOptions {
  contentType: string;
  mostFiles: number;
  bounds: UploadBounds;
}

const mostFields = 64;
const longestField = 256 * 1024;
/** RFC 2046, section 5.1.1. Longer ones would make parsing slow for a body full of partial boundaries. */
const longestBoundary = 70;
const numbers: ReadonlySet<string> = new Set(['n', 'output_compression', 'partial_images']);

/** Reads `multipart/form-data` as it arrives. Throws GatewayError that names the part. */
export async function readImageForm(body: ByteStream, options: FormOptions): Promise<ImageForm> {
  const parser = createParser(options);
  const form = collect(parser, options.mostFiles);
  // Report the parser's own error, not the write that failed because of it.
  const parsed = form.done.catch((thrown: unknown) => {
    body.cancel();
    throw thrown;
  });
  const fed = feed(parser, body, options.bounds).catch((thrown: unknown) => {
    parser.destroy();
    throw thrown;
  });
  await Promise.race([parsed, fed.then(() => parsed)]);
  const { fields, routing } = form;
  return { fields, routing, files: form.files.map(({ slices }) => slices()), mask: form.masks[0]?.slices() };
}

function createParser({ contentType, mostFiles }: FormOptions): BusboyInstance {
  if (boundaryOf(contentType).length > longestBoundary) {
    throw broken(`its boundary is longer than ${longestBoundary} characters`);
  }
  const limits = {
    fields: mostFields,
    files: mostFiles + 2,
    parts: mostFields + mostFiles + 2,
    fieldSize: longestField,
  };
  try {
    return new Busboy({ headers: { 'content-type': contentType }, limits, isPartAFile: isImage });
  } catch (cause) {
    throw broken('its content-type has no boundary', cause);
  }
}

/** Empty if there is none, which the parser refuses. */
function boundaryOf(contentType: string): string {
  const found = /;\s*boundary=(?:"([^"]+)"|([^;\s]+))/i.exec(contentType);
  return found?.[1] ?? found?.[2] ?? '';
}

/** Decided by the name, because clients omit file names and types. */
const isImage = (name: string | undefined, _type: string | undefined, fileName: string | undefined): boolean =>
  isImageName(name) || name === 'mask' || fileName !== undefined;

const isImageName = (name: string | undefined): boolean => /^image(\[\d*\])?$/.test(name ?? '');

async function feed(parser: BusboyInstance, body: ByteStream, bounds: UploadBounds): Promise<void> {
  for await (const piece of countedPieces(body, bounds)) {
    if (!parser.write(piece)) await drained(parser);
  }
  parser.end();
}

const drained = (parser: BusboyInstance): Promise<void> =>
  new Promise((resolve) => {
    parser.once('drain', resolve);
    parser.once('close', resolve);
    parser.once('error', () => resolve());
  });

interface FormCollector {
  fields: Record<string, unknown>;
  routing: { name: string; text: string }[];
  files: { slices(): Base64Slices }[];
  masks: { slices(): Base64Slices }[];
  done: Promise<void>;
}

function collect(parser: BusboyInstance, mostFiles: number): FormCollector {
  const fields: Record<string, unknown> = Object.create(null);
  const routing: FormCollector['routing'] = [];
  const files: FormCollector['files'] = [];
  const masks: FormCollector['masks'] = [];
  const done = new Promise<void>((resolve, reject) => {
    parser.on('field', (...[name, value, , truncated]) => {
      if (truncated) return reject(invalidMember(name, `is longer than ${longestField} bytes`));
      if (isRoutingField(name)) routing.push({ name, text: value });
      else fields[name] = valueOf(name, value);
    });
    parser.on('file', (name, stream) => {
      stream.on('error', reject);
      if (name === 'mask') {
        if (masks.length > 0) reject(invalidMember('mask', 'must be one file'));
        masks.push(encoded(stream));
      } else if (!isImageName(name)) {
        fields[name] = true;
        stream.resume();
      } else if (files.length === mostFiles) reject(invalidMember('image', `must be at most ${mostFiles} files`));
      else files.push(encoded(stream));
    });
    parser.on('fieldsLimit', () => reject(broken(`it has more than ${mostFields} fields`)));
    parser.on('partsLimit', () => reject(broken('it has too many parts')));
    parser.on('filesLimit', () => reject(invalidMember('image', `must be at most ${mostFiles} files`)));
    parser.on('error', (cause) => reject(broken('it cannot be read', cause)));
    parser.on('finish', resolve);
    parser.on('close', resolve);
  });
  // Avoids an unhandled rejection if `feed` fails first.
  done.catch(() => undefined);
  return { fields, routing, files, masks, done };
}

/** A form holds only text. */
function valueOf(name: string, value: string): unknown {
  if (numbers.has(name) && /^-?\d+(\.\d+)?$/.test(value)) return Number(value);
  return name === 'stream' && (value === 'true' || value === 'false') ? value === 'true' : value;
}

function encoded(stream: BusboyFileStream): { slices(): Base64Slices } {
  const encoder = createBase64Encoder();
  stream.on('data', (bytes: Buffer) => encoder.push(bytes));
  return { slices: () => encoder.end() };
}

const broken = (why: string, cause?: unknown): GatewayError =>
  new GatewayError('invalid_parameters', `The form is invalid: ${why}.`, { cause });

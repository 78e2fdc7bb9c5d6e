import { Busboy, type BusboyFileStream, type BusboyInstance } from '@fastify/busboy';
import type { ByteStream } from '@switchyard/bus';
import { GatewayError } from '@switchyard/contracts';
import { type Base64Slices, createBase64Encoder } from '@switchyard/dispatch';
import { invalidMember } from './members.ts';
import { type UploadBounds, countedPieces } from './body-pieces.ts';

/** A form of which nothing is held but its fields and, as base64 text, its images. */
export interface ImageForm {
  fields: Readonly<Record<string, unknown>>;
  files: readonly Base64Slices[];
}

export interface FormOptions {
  contentType: string;
  mostFiles: number;
  bounds: UploadBounds;
}

const mostFields = 64;
const longestField = 256 * 1024;
const numbers: ReadonlySet<string> = new Set(['n', 'output_compression']);

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
  return { fields: form.fields, files: form.files.map(({ slices }) => slices()) };
}

function createParser({ contentType, mostFiles }: FormOptions): BusboyInstance {
  const limits = {
    fields: mostFields,
    files: mostFiles + 1,
    parts: mostFields + mostFiles + 1,
    fieldSize: longestField,
  };
  try {
    return new Busboy({ headers: { 'content-type': contentType }, limits, isPartAFile: isImage });
  } catch (cause) {
    throw broken('its content-type names no boundary', cause);
  }
}

/** By its name: clients forget file names and types. A mask is refused, whatever is in it. */
const isImage = (name: string | undefined, _type: string | undefined, fileName: string | undefined): boolean =>
  isImageName(name) || fileName !== undefined;

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
  files: { slices(): Base64Slices }[];
  done: Promise<void>;
}

function collect(parser: BusboyInstance, mostFiles: number): FormCollector {
  const fields: Record<string, unknown> = Object.create(null);
  const files: FormCollector['files'] = [];
  const done = new Promise<void>((resolve, reject) => {
    parser.on('field', (...[name, value, , truncated]) => {
      if (truncated) return reject(invalidMember(name, `is longer than ${longestField} bytes`));
      fields[name] = numbers.has(name) && /^-?\d+(\.\d+)?$/.test(value) ? Number(value) : value;
    });
    parser.on('file', (name, stream) => {
      stream.on('error', reject);
      if (!isImageName(name)) {
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
  // `feed` may fail first.
  done.catch(() => undefined);
  return { fields, files, done };
}

function encoded(stream: BusboyFileStream): { slices(): Base64Slices } {
  const encoder = createBase64Encoder();
  stream.on('data', (bytes: Buffer) => encoder.push(bytes));
  return { slices: () => encoder.end() };
}

const broken = (why: string, cause?: unknown): GatewayError =>
  new GatewayError('invalid_parameters', `The form is not one: ${why}.`, { cause });

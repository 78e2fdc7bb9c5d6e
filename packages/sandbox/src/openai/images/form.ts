import type { JsonObject } from '../../json.ts';

/**
 * Reads a `multipart/form-data` body like a JSON one; files become data URLs in `images`. `undefined` if it is not a
 * form.
 */
export function readMultipart(body: Buffer, contentType = ''): JsonObject | undefined {
  const parts = formParts(body, contentType);
  if (parts === undefined) return undefined;
  const files = parts.filter(({ type }) => type !== undefined);
  const fields = parts.filter(({ type }) => type === undefined);
  const mask = files.find(({ name }) => name === 'mask');
  return {
    ...Object.fromEntries(fields.map(({ name, content }) => [name, valueOf(name, content.toString())])),
    ...(mask && { mask: asImage(mask) }),
    images: files.filter(({ name }) => /^image(\[\d*\])?$/.test(name)).map(asImage),
  };
}

const asImage = ({ type, content }: FormPart) => ({
  image_url: `data:${type};base64,${content.toString('base64')}`,
});

/** The parts of a form; `undefined` if it is none. */
export function formParts(body: Buffer, contentType = ''): FormPart[] | undefined {
  const boundary = /boundary=(?:"([^"]+)"|([^;\s]+))/i.exec(contentType);
  const line = `--${boundary?.[1] ?? boundary?.[2] ?? ''}`;
  return line === '--' ? undefined : partsBetween(body, Buffer.from(line)).map(readPart);
}

function partsBetween(body: Buffer, line: Buffer): Buffer[] {
  const parts: Buffer[] = [];
  let start = body.indexOf(line);
  while (start >= 0) {
    const end = body.indexOf(line, start + line.length);
    // Skips the line break after the boundary and the one before the next boundary.
    if (end >= 0) parts.push(body.subarray(start + line.length + 2, end - 2));
    start = end;
  }
  return parts;
}

interface FormPart {
  readonly name: string;
  /** Only for files. */
  readonly type: string | undefined;
  readonly content: Buffer;
}

function readPart(part: Buffer): FormPart {
  const end = part.indexOf('\r\n\r\n');
  const head = part.toString('utf8', 0, Math.max(end, 0));
  const isFile = /filename=/i.test(head);
  return {
    name: /name="([^"]*)"/i.exec(head)?.[1] ?? '',
    type: isFile ? (/content-type:\s*(\S+)/i.exec(head)?.[1] ?? 'application/octet-stream') : undefined,
    content: part.subarray(end + 4),
  };
}

/** Members that are numbers; a form contains only text. */
const numbers = ['n', 'output_compression', 'partial_images'];

function valueOf(name: string, text: string): unknown {
  if (numbers.includes(name) && /^-?\d+$/.test(text)) return Number(text);
  return name === 'stream' ? text === 'true' : text;
}

import type { JsonObject } from '../../json.ts';

/** A `multipart/form-data` body as the members of a JSON one; files become data URLs in `images`. `undefined`: it is none. */
export function readMultipart(body: Buffer, contentType = ''): JsonObject | undefined {
  const boundary = /boundary=(?:"([^"]+)"|([^;\s]+))/i.exec(contentType);
  const line = `--${boundary?.[1] ?? boundary?.[2] ?? ''}`;
  if (line === '--') return undefined;
  const parts = partsBetween(body, Buffer.from(line)).map(readPart);
  const files = parts.filter(({ type, name }) => type !== undefined && /^image(\[\d*\])?$/.test(name));
  const fields = parts.filter(({ type }) => type === undefined);
  return {
    ...Object.fromEntries(fields.map(({ name, content }) => [name, valueOf(name, content.toString())])),
    ...Object.fromEntries(parts.filter(({ name }) => name === 'mask').map(() => ['mask', {}])),
    images: files.map(({ type, content }) => ({ image_url: `data:${type};base64,${content.toString('base64')}` })),
  };
}

function partsBetween(body: Buffer, line: Buffer): Buffer[] {
  const parts: Buffer[] = [];
  let start = body.indexOf(line);
  while (start >= 0) {
    const end = body.indexOf(line, start + line.length);
    // There is a line break behind the boundary and one before the next.
    if (end >= 0) parts.push(body.subarray(start + line.length + 2, end - 2));
    start = end;
  }
  return parts;
}

interface FormPart {
  readonly name: string;
  /** Of files only. */
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

/** A form knows text only. */
const numbers = ['n', 'output_compression', 'partial_images'];

function valueOf(name: string, text: string): unknown {
  if (numbers.includes(name) && /^-?\d+$/.test(text)) return Number(text);
  return name === 'stream' ? text === 'true' : text;
}

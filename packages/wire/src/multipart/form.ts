/** One part of a `multipart/form-data` body. Its content is a view of the body. */
export interface MultipartPart {
  readonly name: string;
  /** Only files have one. */
  readonly fileName?: string;
  readonly type?: string;
  readonly content: Uint8Array;
}

type FormResult = { readonly parts: readonly MultipartPart[] } | { readonly problem: string };

/** RFC 2046, section 5.1.1. */
const longestBoundary = 70;
const mostParts = 100;
const longestHead = 8 * 1024;

/** Splits a form without copying it. */
export function splitForm(body: Uint8Array, contentType: string): FormResult {
  const boundary = boundaryOf(contentType);
  if (boundary === '') return { problem: 'its content-type has no boundary' };
  if (boundary.length > longestBoundary) {
    return { problem: `its boundary is longer than ${longestBoundary} characters` };
  }
  return partsBetween(Buffer.from(body.buffer, body.byteOffset, body.byteLength), Buffer.from(`\r\n--${boundary}`));
}

function partsBetween(bytes: Buffer, line: Buffer): FormResult {
  const parts: MultipartPart[] = [];
  // The first boundary has no line break before it, unless there is a preamble.
  const first = line.subarray(2);
  let at = bytes.subarray(0, first.length).equals(first) ? first.length : after(bytes, line);
  while (at !== undefined) {
    if (bytes.toString('latin1', at, at + 2) === '--') return { parts };
    const end = bytes.indexOf(line, at);
    if (end < 0) break;
    const part = readPart(bytes.subarray(at, end));
    if (part === undefined) return { problem: 'a part has no name' };
    if (parts.length === mostParts) return { problem: `it has more than ${mostParts} parts` };
    parts.push(part);
    at = end + line.length;
  }
  return { problem: 'it has no closing boundary' };
}

/** Empty if there is none. */
export function boundaryOf(contentType: string): string {
  const found = /;\s*boundary=(?:"([^"]+)"|([^;\s]+))/i.exec(contentType);
  return found?.[1] ?? found?.[2] ?? '';
}

function after(bytes: Buffer, line: Buffer): number | undefined {
  const found = bytes.indexOf(line);
  return found < 0 ? undefined : found + line.length;
}

function readPart(part: Buffer): MultipartPart | undefined {
  const end = part.subarray(0, longestHead).indexOf('\r\n\r\n');
  const head = part.toString('utf8', 0, Math.max(end, 0));
  const parameters = parametersOf(/^content-disposition:\s*form-data\b([^\r\n]*)/im.exec(head)?.[1] ?? '');
  const name = parameters.get('name');
  if (end < 0 || name === undefined) return undefined;
  const fileName = parameters.get('filename');
  const type = /^content-type:\s*([^\r\n]+)$/im.exec(head)?.[1]?.trim();
  const content = part.subarray(end + 4);
  return { name, ...(fileName !== undefined && { fileName }), ...(type !== undefined && { type }), content };
}

/** A name, and a value in quotes or, as .NET sends it, without. A backslash escapes a quote unless the value ends there. */
const parameter = /\s*;\s*([^\s;="]+)=(?:"((?:\\"|[^"\r\n])*)"|([^\s;"]+))/gy;

/** The first of each name, in lower case. Reads on from where a parameter ends, so that none is found inside another. */
function parametersOf(disposition: string): Map<string, string> {
  const found = new Map<string, string>();
  for (const [, name = '', inQuotes, token = ''] of disposition.matchAll(parameter)) {
    const key = name.toLowerCase();
    if (!found.has(key)) found.set(key, inQuotes?.replaceAll('\\"', '"') ?? token);
  }
  return found;
}

/** Joins parts with the boundary of the form they come from, which is in none of them. Contents are not copied. */
export function joinForm(parts: readonly MultipartPart[], boundary: string): Uint8Array[] {
  const slices = parts.flatMap((part) => [Buffer.from(headOf(part, boundary)), part.content, lineBreak]);
  return [...slices, Buffer.from(`--${boundary}--\r\n`)];
}

const lineBreak = Buffer.from('\r\n');

const headOf = ({ name, fileName, type }: MultipartPart, boundary: string): string =>
  [
    `--${boundary}`,
    `Content-Disposition: form-data; name=${quoted(name)}${fileName === undefined ? '' : `; filename=${quoted(fileName)}`}`,
    ...(type === undefined ? [] : [`Content-Type: ${type}`]),
    '\r\n',
  ].join('\r\n');

/** As browsers do, with what could end the quotes or the line as `%22` or `%0A`. */
const quoted = (value: string): string => `"${value.replaceAll(/["\r\n]|\\$/g, encodeURIComponent)}"`;

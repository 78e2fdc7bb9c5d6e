import { GatewayError } from '@tallyport/contracts';
import { imageTypeOf, markBytes, recognisedImages } from '@tallyport/wire';

/** How many bytes of a file are needed to recognise it. */
export const recognisedFrom = markBytes;

const pdf = 'application/pdf';
const pdfMark = '%PDF-';

/** The type of an image or a PDF by its first bytes. */
function typeByContent(head: Buffer): string | undefined {
  return imageTypeOf(head) ?? (head.toString('latin1', 0, pdfMark.length) === pdfMark ? pdf : undefined);
}

const byEnding: Readonly<Record<string, string>> = {
  csv: 'text/csv',
  html: 'text/html',
  json: 'application/json',
  jsonl: 'application/jsonl',
  md: 'text/markdown',
  txt: 'text/plain',
  xml: 'application/xml',
};

interface NamedContent {
  filename: string;
  declared: string | undefined;
  /** The first bytes. */
  head: Uint8Array;
}

/**
 * The type of a file: of an image or a PDF by its content, otherwise as declared, or by the ending of its name. Throws
 * `invalid_parameters` if it is declared as an image or a PDF that its content is not.
 */
export function mediaTypeOfFile({ filename, declared, head }: NamedContent): string {
  const found = typeByContent(Buffer.from(head.subarray(0, recognisedFrom)));
  const named = plainType(declared);
  if (named !== undefined && isChecked(named) && named !== found) throw anotherType(named, found);
  return found ?? named ?? byEnding[filename.split('.').at(-1)?.toLowerCase() ?? ''] ?? 'application/octet-stream';
}

const isChecked = (type: string): boolean => [...recognisedImages, pdf].includes(type);

/** Without parameters; `undefined` for a text that is no type. */
function plainType(declared: string | undefined): string | undefined {
  const type = declared?.split(';', 1)[0]?.trim().toLowerCase() ?? '';
  return /^[\w!#$&^.+-]{1,60}\/[\w!#$&^.+-]{1,60}$/.test(type) ? (aliases[type] ?? type) : undefined;
}

const aliases: Readonly<Record<string, string>> = { 'image/jpg': 'image/jpeg', 'image/pjpeg': 'image/jpeg' };

const anotherType = (named: string, found: string | undefined): GatewayError =>
  new GatewayError(
    'invalid_parameters',
    `The file is declared as ${named}, but its content is ${found ?? 'something else'}. Send its real type, or none.`,
    { param: 'file' },
  );

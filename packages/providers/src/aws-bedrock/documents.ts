import type { BedrockDocumentFormat } from '@tallyport/wire';

const byMediaType: Readonly<Record<string, BedrockDocumentFormat>> = {
  'application/pdf': 'pdf',
  'application/msword': 'doc',
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document': 'docx',
  'application/vnd.ms-excel': 'xls',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': 'xlsx',
  'text/csv': 'csv',
  'text/html': 'html',
  'text/markdown': 'md',
  'text/plain': 'txt',
};

const byEnding: Readonly<Record<string, BedrockDocumentFormat>> = {
  ...Object.fromEntries(Object.values(byMediaType).map((format) => [format, format])),
  htm: 'html',
};

/** The file name takes precedence over the media type: clients label unknown files as plain text. */
export function documentFormat(mediaType: string, fileName = ''): BedrockDocumentFormat | undefined {
  const ending = fileName.toLowerCase().split('.').at(-1) ?? '';
  return byEnding[ending] ?? byMediaType[mediaType];
}

/** Returns a document name that the vendor accepts and that is unique in the request. */
export type DocumentNames = (fileName: string | undefined) => string;

export function createDocumentNames(): DocumentNames {
  const used = new Set<string>();
  return (fileName) => {
    const wanted = cleanName(fileName);
    let name = wanted;
    for (let count = 2; used.has(name); count += 1) name = `${wanted} ${count}`;
    used.add(name);
    return name;
  };
}

/**
 * Keeps letters, digits, single spaces, hyphens and brackets. The file extension is dropped because it is the format.
 */
function cleanName(fileName = ''): string {
  const stem = fileName.replace(/\.\w{1,5}$/, '');
  const clean = stem
    .replaceAll(/[^A-Za-z0-9\s()[\]-]/g, '-')
    .replaceAll(/\s+/g, ' ')
    .trim();
  return clean.slice(0, LONGEST_NAME) || 'document';
}

/** The vendor allows 200 characters; the rest is for the suffix that makes a name unique. */
const LONGEST_NAME = 180;

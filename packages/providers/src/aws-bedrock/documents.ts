import type { BedrockDocumentFormat } from '@switchyard/wire';

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

/** The file's name says more than its media type: clients label what they do not know as plain text. */
export function documentFormat(mediaType: string, fileName = ''): BedrockDocumentFormat | undefined {
  const ending = fileName.toLowerCase().split('.').at(-1) ?? '';
  return byEnding[ending] ?? byMediaType[mediaType];
}

/** A document's name as the vendor takes it; no two of a request are alike. */
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

/** Letters, digits, single blanks, hyphens and brackets; without the ending, which is the format. */
function cleanName(fileName = ''): string {
  const stem = fileName.replace(/\.\w{1,5}$/, '');
  const clean = stem
    .replaceAll(/[^A-Za-z0-9\s()[\]-]/g, '-')
    .replaceAll(/\s+/g, ' ')
    .trim();
  return clean.slice(0, LONGEST_NAME) || 'document';
}

/** Vendors allow 200; what makes a name unique needs some. */
const LONGEST_NAME = 180;

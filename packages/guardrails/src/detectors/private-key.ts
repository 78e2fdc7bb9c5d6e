import type { FindSpans } from '../span.ts';
import { charactersOf, runEnd } from './characters.ts';

const beginning = '-----BEGIN ';
const longestLabel = 60;
/** Also line breaks that are escaped, and the headers of encrypted keys. */
const bodyCharacters = charactersOf([
  '09',
  'AZ',
  'az',
  '++',
  '//',
  '==',
  '::',
  ',,',
  '\n\n',
  '\r\r',
  '\t\t',
  '  ',
  '\\\\',
]);
const label = charactersOf(['AZ', '09', '  ']);
const longestKey = 64 * 1024;

/** Private keys in PEM form, also cut off ones. */
export const findPrivateKeys: FindSpans = (text) => {
  const spans = [];
  let start = text.indexOf(beginning);
  while (start !== -1) {
    const body = headerEnd(text, start);
    const end = body === undefined ? start + beginning.length : keyEnd(text, body);
    if (body !== undefined) spans.push({ start, end });
    start = text.indexOf(beginning, end);
  }
  return spans;
};

function headerEnd(text: string, start: number): number | undefined {
  const from = start + beginning.length;
  const end = runEnd(text, from, { characters: label, longest: longestLabel });
  return text.slice(from, end).endsWith('PRIVATE KEY') && text.startsWith('-----', end) ? end + 5 : undefined;
}

/** Headers such as `DEK-Info` have hyphens, but never five. */
function keyEnd(text: string, body: number): number {
  let end = body;
  for (;;) {
    end = runEnd(text, end, { characters: bodyCharacters, longest: body + longestKey - end });
    if (text.startsWith('-----', end) || text[end] !== '-' || end >= body + longestKey) break;
    end += 1;
  }
  if (!text.startsWith('-----END ', end)) return end;
  const labelEnd = runEnd(text, end + '-----END '.length, { characters: label, longest: longestLabel });
  return text.startsWith('-----', labelEnd) ? labelEnd + 5 : labelEnd;
}

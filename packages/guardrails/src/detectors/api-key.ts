import { type FindSpans, merged, type TextSpan } from '../span.ts';
import { charactersOf, isAt, runEnd } from './characters.ts';

const keyCharacters = charactersOf(['09', 'AZ', 'az', '__', '--']);
const dotted = charactersOf(['09', 'AZ', 'az', '__', '--', '..']);
const longestKey = 512;

/** How keys of common services begin, and how many characters follow at least. */
const forms: readonly { prefix: string; fewest: number; characters?: typeof keyCharacters }[] = [
  // OpenAI, Anthropic, OpenRouter, DeepSeek and this gateway.
  { prefix: 'sk-', fewest: 20 },
  { prefix: 'AIza', fewest: 35 },
  { prefix: 'AKIA', fewest: 16 },
  { prefix: 'ASIA', fewest: 16 },
  { prefix: 'ghp_', fewest: 36 },
  { prefix: 'gho_', fewest: 36 },
  { prefix: 'ghu_', fewest: 36 },
  { prefix: 'ghs_', fewest: 36 },
  { prefix: 'ghr_', fewest: 36 },
  { prefix: 'github_pat_', fewest: 40 },
  { prefix: 'glpat-', fewest: 20 },
  { prefix: 'gsk_', fewest: 40 },
  { prefix: 'hf_', fewest: 30 },
  { prefix: 'npm_', fewest: 36 },
  { prefix: 'pplx-', fewest: 40 },
  { prefix: 'rk_live_', fewest: 20 },
  { prefix: 'sk_live_', fewest: 20 },
  { prefix: 'sk_test_', fewest: 20 },
  { prefix: 'SG.', fewest: 40, characters: dotted },
  { prefix: 'whsec_', fewest: 24 },
  { prefix: 'xai-', fewest: 40 },
  { prefix: 'xoxa-', fewest: 20 },
  { prefix: 'xoxb-', fewest: 20 },
  { prefix: 'xoxp-', fewest: 20 },
  { prefix: 'xoxr-', fewest: 20 },
  { prefix: 'xoxs-', fewest: 20 },
];

/** Keys and tokens of common services, known by how they begin. */
export const findApiKeys: FindSpans = (text) => merged(forms.flatMap((form) => findForm(text, form)));

function findForm(text: string, { prefix, fewest, characters = keyCharacters }: (typeof forms)[number]): TextSpan[] {
  const spans: TextSpan[] = [];
  for (let start = text.indexOf(prefix); start !== -1; start = text.indexOf(prefix, start + prefix.length)) {
    if (isAt(text, start - 1, keyCharacters)) continue;
    const end = runEnd(text, start + prefix.length, { characters, longest: longestKey });
    if (end - start - prefix.length >= fewest) spans.push({ start, end });
  }
  return spans;
}

import { readAll } from './sources.ts';
import type { Source } from './sources.ts';

/** Words that have a plain replacement nearly everywhere, each with the forms that count. */
const discouragedWords = {
  tell: /\b(tells?|told)\b/gi,
  whoever: /\b(whoever|whatever)\b/gi,
  nobody: /\b(nobody|somebody|anybody)\b/gi,
  thereby: /\bthereby\b/gi,
  likewise: /\blikewise\b/gi,
  "one's": /\bone['’]s\b/gi,
} as const satisfies Readonly<Record<string, RegExp>>;

export type DiscouragedWord = keyof typeof discouragedWords;

export const isDiscouragedWord = (name: string): name is DiscouragedWord => name in discouragedWords;

/** The files that name the words because they are about them. */
const aboutWords = /^(CONTRIBUTING\.md|tests\/structure\/words(\.test)?\.ts)$/;

/** Every file whose prose people read: code, YAML and Markdown. */
export const proseSources = (): Source[] =>
  ['*.md', '{bench,deploy,docs,packages,scripts,services,tests}/**/*.{ts,mts,mjs,yaml,md}', '*.yaml']
    .flatMap(readAll)
    .filter(({ path }) => !aboutWords.test(path) && !path.endsWith('pnpm-lock.yaml'));

/** Where each word occurs, as `path:line text`. In code only comments and strings count. */
export function placesOfWords(sources: readonly Source[]): Record<DiscouragedWord, string[]> {
  const lines = sources.flatMap((source) =>
    proseOf(source).map(({ line, text }) => ({ place: `${source.path}:${line}`, text })),
  );
  const places = (word: DiscouragedWord) =>
    lines.flatMap(({ place, text }) =>
      [...text.matchAll(discouragedWords[word])].map(() => `${place} ${text.trim().replaceAll(/\s+/g, ' ')}`),
    );
  return {
    tell: places('tell'),
    whoever: places('whoever'),
    nobody: places('nobody'),
    thereby: places('thereby'),
    likewise: places('likewise'),
    "one's": places("one's"),
  };
}

interface ProseLine {
  line: number;
  text: string;
}

function proseOf({ path, text }: Source): ProseLine[] {
  const prose = /\.(ts|mts|mjs)$/.test(path) ? withoutCode(text) : text;
  return prose.split('\n').map((content, index) => ({ line: index + 1, text: content }));
}

// A regular expression is matched only to skip it: a quote inside it opens no string.
const regularExpression = String.raw`(?<=[=(,:!&|?{};[]\s*|return\s+)\/(?![*/])(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n[])+\/`;
const comment = String.raw`\/\/[^\n]*|\/\*[\s\S]*?\*\/`;
const string = String.raw`'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|${'`'}(?:\\.|[^${'`'}\\])*${'`'}`;
const tokens = new RegExp(`(${comment})|(${string})|${regularExpression}`, 'g');

/** Comments and strings at the lines where they are in the file; everything else is left out. */
function withoutCode(text: string): string {
  let prose = '';
  let end = 0;
  for (const match of text.matchAll(tokens)) {
    prose += lineBreaksOf(text.slice(end, match.index));
    end = match.index + match[0].length;
    const [, foundComment, foundString] = match;
    prose += foundComment ?? foundString?.replaceAll(/\$\{[^}]*\}/g, '…') ?? lineBreaksOf(match[0]);
  }
  return prose;
}

const lineBreaksOf = (text: string): string => text.replaceAll(/[^\n]+/g, ' ');

import { globSync } from 'node:fs';
import { posix } from 'node:path';
import { expect, test } from 'vitest';
import { documents } from '../docs/markdown.ts';
import { root, wholeTree } from './sources.ts';

const fileName = String.raw`[\w./-]*\w\.(?:ts|mjs|mts|md)`;
const inComment = new RegExp(String.raw`(?<![\w*/.-])${fileName}\b(?![*/])`, 'g');
const inDocument = new RegExp(`(?<=\`)${fileName}(?=\`)`, 'g');

const files = globSync('**/*.{ts,mjs,mts,md}', { cwd: root, exclude: ['**/node_modules/**', '**/.*/**'] }).map(
  (path) => `/${path.replaceAll('\\', '/')}`,
);
const filesByName = Map.groupBy(files, (path) => posix.basename(path));

// A mention is a path from the root, a path from any folder, or a file name.
function exists(mention: string): boolean {
  const end = `/${mention.replace(/^(\.{1,2}\/)+/, '')}`;
  return filesByName.get(posix.basename(end))?.some((path) => path.endsWith(end)) ?? false;
}

/** The example provider of the documents, and the file that a reader of the README saves. */
const isExample = (mention: string) => mention.includes('/acme/') || mention.endsWith('hello.mjs');

test('comments name files that exist', () => {
  const comments = wholeTree().flatMap(({ path, text }) =>
    (text.match(/^\s*(\/\/|\/?\*).*$/gm) ?? []).map((line) => ({ path, line })),
  );
  const mentions = comments.flatMap(({ path, line }) => (line.match(inComment) ?? []).map((name) => ({ path, name })));
  expect(
    mentions.filter(({ name }) => !exists(name)),
    'Use the current name of the file, or describe it.',
  ).toEqual([]);
  expect(mentions.length).toBeGreaterThan(10);
});

test('documents name files that exist', () => {
  const mentions = documents().flatMap(({ path, text }) =>
    (text.match(inDocument) ?? []).map((name) => ({ path, name })),
  );
  expect(
    mentions.filter(({ name }) => !exists(name) && !isExample(name)),
    'Use the current name of the file, or describe it.',
  ).toEqual([]);
  expect(mentions.length).toBeGreaterThan(3);
});

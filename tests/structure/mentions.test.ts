import { globSync } from 'node:fs';
import { expect, test } from 'vitest';
import { documents } from '../docs/markdown.ts';
import { root, wholeTree } from './sources.ts';

const fileName = String.raw`[\w./-]*\w\.(?:ts|mjs|mts|md)`;
const inComment = new RegExp(String.raw`(?<![\w*/.-])${fileName}\b(?![*/])`, 'g');
const inDocument = new RegExp(`(?<=\`)${fileName}(?=\`)`, 'g');

const files = globSync('**/*.{ts,mjs,mts,md}', { cwd: root, exclude: ['**/node_modules/**', '**/.*/**'] }).map(
  (path) => `/${path.replaceAll('\\', '/')}`,
);

// A mention is a path from the root, from any folder, or only a name.
const isThere = (mention: string) => files.some((path) => path.endsWith(`/${mention.replace(/^(\.{1,2}\/)+/, '')}`));

/** The provider that documents add as an example. */
const isExample = (mention: string) => mention.includes('/acme/');

test('comments name files that exist', () => {
  const comments = wholeTree().flatMap(({ path, text }) =>
    (text.match(/^\s*(\/\/|\/?\*).*$/gm) ?? []).map((line) => ({ path, line })),
  );
  const mentions = comments.flatMap(({ path, line }) => (line.match(inComment) ?? []).map((name) => ({ path, name })));
  expect(
    mentions.filter(({ name }) => !isThere(name)),
    'Name the file as it is called now, or say what it does.',
  ).toEqual([]);
  expect(mentions.length).toBeGreaterThan(10);
});

test('documents name files that exist', () => {
  const mentions = documents().flatMap(({ path, text }) =>
    (text.match(inDocument) ?? []).map((name) => ({ path, name })),
  );
  expect(
    mentions.filter(({ name }) => !isThere(name) && !isExample(name)),
    'Name the file as it is called now, or say what it does.',
  ).toEqual([]);
  expect(mentions.length).toBeGreaterThan(3);
});

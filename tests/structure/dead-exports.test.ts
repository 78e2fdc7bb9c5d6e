import { expect, test } from 'vitest';
import { deadExports } from './dead-exports.ts';
import { readAll, wholeTree } from './sources.ts';

/** A type that only makes the compiler compare two others. */
const forTheCompiler = ['packages/endpoints/src/chat/answer.ts: ChunkFits'];

test('every export is imported by another file', () => {
  // Declarations of JavaScript files repeat what these export, and default exports are read by tools.
  const isOurs = (place: string): boolean => !/\.d\.m?ts: |: default$/.test(place);
  const dead = deadExports([...wholeTree(), ...readAll('*.ts')]).filter(isOurs);
  expect(dead, 'Remove the word export, or the whole declaration.').toEqual(forTheCompiler);
});

test('an import, a namespace and an entry that passes a name on use an export', () => {
  const sources = {
    'packages/a/src/own.ts': 'export const one = 1; export const two = 2; export type Three = 3; const own = one;',
    'packages/a/src/space.ts': 'export const four = 4;',
    'packages/a/src/late.ts': 'export const five = 5;',
    'packages/a/src/all.ts': 'export const six = 6; export const seven = 7;',
    'packages/a/src/index.ts': "export { two, type Three } from './own.ts'; export * from './all.ts';",
    'packages/a/src/main.ts':
      "import { two as other } from './index.ts'; import { six } from './index.ts'; import * as space from './space.ts'; await import('./late.ts');",
  };
  expect(deadExports(Object.entries(sources).map(([path, text]) => ({ path, text })))).toEqual([
    'packages/a/src/own.ts: one',
    'packages/a/src/own.ts: Three',
    'packages/a/src/all.ts: seven',
    'packages/a/src/index.ts: Three',
  ]);
});

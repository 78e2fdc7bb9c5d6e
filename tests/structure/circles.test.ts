import { describe, expect, test } from 'vitest';
import { circlesIn, importGraph } from './circles.ts';
import { wholeTree } from './sources.ts';

test('no files import each other in a circle, types included', () => {
  const circles = circlesIn(importGraph(wholeTree()));
  expect(
    circles.map((circle) => circle.join(' → ')),
    'Move what two files of a circle both need into a small file of its own, named for what it is.',
  ).toEqual([]);
});

describe('circlesIn', () => {
  const graphOf = (imports: Readonly<Record<string, readonly string[]>>) => new Map(Object.entries(imports));

  test('files that only lead on are in none', () => {
    expect(circlesIn(graphOf({ a: ['b', 'c'], b: ['c'], c: [] }))).toEqual([]);
  });

  test('names each group of files by its shortest way around', () => {
    const graph = graphOf({ a: ['b'], b: ['c'], c: ['d', 'a'], d: ['b'], e: ['f', 'a'], f: ['e'], g: ['g'] });
    expect(circlesIn(graph)).toEqual([
      ['a', 'b', 'c', 'a'],
      ['e', 'f', 'e'],
      ['g', 'g'],
    ]);
  });
});

describe('importGraph', () => {
  test('follows types, re-exports, late imports and names of packages', () => {
    const sources = [
      {
        path: 'services/edge/src/door.ts',
        text: [
          "import type { A } from './a.ts';",
          "export * from '../b.ts';",
          "const late = await import('./late.ts');",
          "import { createStore } from '@switchyard/store';",
          "import { readFileSync } from 'node:fs';",
        ].join('\n'),
      },
      ...[
        'services/edge/src/a.ts',
        'services/edge/b.ts',
        'services/edge/src/late.ts',
        'packages/store/src/index.ts',
      ].map((path) => ({ path, text: '' })),
    ];
    expect(importGraph(sources).get('services/edge/src/door.ts')?.toSorted()).toEqual([
      'packages/store/src/index.ts',
      'services/edge/b.ts',
      'services/edge/src/a.ts',
      'services/edge/src/late.ts',
    ]);
  });
});

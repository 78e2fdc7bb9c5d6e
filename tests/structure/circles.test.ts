import { describe, expect, test } from 'vitest';
import { circlesIn, importGraph, roomGraph } from './circles.ts';
import { isProduction, wholeTree } from './sources.ts';

test('no files import each other in a circle, types included', () => {
  const circles = circlesIn(importGraph(wholeTree()));
  expect(
    circles.map((circle) => circle.join(' → ')),
    'Move the code that two files of a circle share into a small file named after it.',
  ).toEqual([]);
});

test('the folders of a package or service import each other in one direction', () => {
  const circles = circlesIn(roomGraph(importGraph(wholeTree().filter(isProduction))));
  expect(
    circles.map((circle) => circle.join(' → ')),
    'Move the file that both folders need into the lower one, or into a folder below both.',
  ).toEqual([]);
});

describe('circlesIn', () => {
  const graphOf = (imports: Readonly<Record<string, readonly string[]>>) => new Map(Object.entries(imports));

  test('returns no circle for files that only import in one direction', () => {
    expect(circlesIn(graphOf({ a: ['b', 'c'], b: ['c'], c: [] }))).toEqual([]);
  });

  test('returns the shortest circle of each group of files', () => {
    const graph = graphOf({ a: ['b'], b: ['c'], c: ['d', 'a'], d: ['b'], e: ['f', 'a'], f: ['e'], g: ['g'] });
    expect(circlesIn(graph)).toEqual([
      ['a', 'b', 'c', 'a'],
      ['e', 'f', 'e'],
      ['g', 'g'],
    ]);
  });
});

test('roomGraph joins the files of a folder, and keeps those beside it apart', () => {
  const file = (path: string) => `packages/store/src/${path}`;
  const graph = new Map([
    [file('index.ts'), [file('redis/a.ts')]],
    [file('redis/a.ts'), [file('redis/deep/b.ts'), file('keys.ts')]],
    [file('redis/deep/b.ts'), [file('memory/c.ts')]],
  ]);
  expect([...roomGraph(graph)]).toEqual([
    [file('index.ts'), [file('redis')]],
    [file('redis'), [file('keys.ts'), file('memory')]],
  ]);
});

describe('importGraph', () => {
  test('follows types, re-exports, dynamic imports and package names', () => {
    const sources = [
      {
        path: 'services/edge/src/start.ts',
        text: [
          "import type { A } from './a.ts';",
          "export * from '../b.ts';",
          "const late = await import('./late.ts');",
          "import { createStore } from '@tallyport/store';",
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
    expect(importGraph(sources).get('services/edge/src/start.ts')?.toSorted()).toEqual([
      'packages/store/src/index.ts',
      'services/edge/b.ts',
      'services/edge/src/a.ts',
      'services/edge/src/late.ts',
    ]);
  });
});

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { root } from './sources.ts';

const lines = readFileSync(join(root, 'README.md'), 'utf8').split('\n');

describe('the README', () => {
  test('has fewer than 200 lines', () => {
    expect(lines.length, 'Move details to a page in docs/ and link it.').toBeLessThan(200);
  });

  test('has no table wider than 120 columns', () => {
    expect(lines.filter((line) => line.startsWith('|') && line.length > 120)).toEqual([]);
  });
});

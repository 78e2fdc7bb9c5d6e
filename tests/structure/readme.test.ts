import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { blocksOf } from '../docs/markdown.ts';
import { root } from './sources.ts';

const lines = readFileSync(join(root, 'README.md'), 'utf8').split('\n');

describe('the README', () => {
  test('has fewer than 200 lines', () => {
    expect(lines.length, 'Move details to a page in docs/ and link it.').toBeLessThan(200);
  });

  test('has only complete commands, without comments, which zsh runs when they are pasted', () => {
    const blocks = blocksOf(lines.join('\n')).filter(({ language }) => language === 'sh');
    expect(blocks.length).toBeGreaterThan(5);
    expect(blocks.filter(({ text }) => /…|(^|\s)#|<\w+>/.test(text))).toEqual([]);
  });

  test('has no table wider than 120 columns', () => {
    expect(lines.filter((line) => line.startsWith('|') && line.length > 120)).toEqual([]);
  });
});

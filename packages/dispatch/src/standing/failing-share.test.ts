import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { departureOf } from '../testing/failing-share.ts';

const document = readFileSync(new URL('../../../../docs/routing.md', import.meta.url), 'utf8');
const rows = document.split('\n').map((line) => line.replaceAll(/\s+/g, ' '));
const perMinute = [6, 60, 600];

const names = { breaker_open: 'breaker', cooldown: 'pause', low_uptime: 'bound' };

test.each<[seen: string, oneOf: number, otherIsUntried?: boolean]>([
  ['a single failure', Infinity],
  ['99 %', 100],
  ['95 %', 20],
  ['90 %', 10],
  ['80 %', 5],
  ['50 %', 2],
  ['0 %', 1],
  ['0 %, beside an untried offer', 1, true],
])(
  'docs/routing.md shows what a prefixed request does at an uptime of %s',
  async (seen, oneOf, otherIsUntried = false) => {
    const cells: string[] = [];
    for (const each of perMinute) {
      const departure = await departureOf({ oneOf, perMinute: each, otherIsUntried });
      cells.push(departure === undefined ? 'stays' : `moves: ${names[departure.rule]}, ${departure.failures}`);
    }
    expect(rows.find((row) => row.startsWith(`| ${seen} |`))).toBe(`| ${[seen, ...cells].join(' | ')} |`);
  },
);

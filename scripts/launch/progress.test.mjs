import { setImmediate as turn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { waitUntil } from '../../tests/support/probe.ts';
import { createProgress } from './progress.mjs';

function recorded(isTTY) {
  const texts = [];
  return { texts, stream: { isTTY, write: (text) => texts.push(text) } };
}

test('in a pipe, prints a line when a step starts and when it has ended', async () => {
  const { texts, stream } = recorded(false);
  const progress = createProgress(stream);
  expect(await progress.during('Node 24', async () => 'installed')).toBe('installed');
  await expect(progress.during('pnpm 12', () => Promise.reject(new Error('no network')))).rejects.toThrow('no network');
  expect(texts).toEqual(['Installing Node 24 …\n', 'Installed Node 24 in 0 s.\n', 'Installing pnpm 12 …\n']);
});

test('on a terminal, repaints one line with all running steps', async () => {
  const { texts, stream } = recorded(true);
  const progress = createProgress(stream, { everyMs: 1 });
  let finish;
  const first = progress.during('Node 24', () => new Promise((resolve) => (finish = resolve)));
  await progress.during('pnpm 12', () => turn());
  const shown = texts.length;
  await waitUntil('the line to be repainted', () => texts.length > shown + 1);
  finish();
  await first;
  const erase = '\r\u001B[K';
  expect([...new Set(texts)]).toEqual([
    `${erase}Installing Node 24 0 s …`,
    `${erase}Installing Node 24 0 s, pnpm 12 0 s …`,
    `${erase}Installed pnpm 12 in 0 s.\n`,
    `${erase}Installed Node 24 in 0 s.\n`,
  ]);
});

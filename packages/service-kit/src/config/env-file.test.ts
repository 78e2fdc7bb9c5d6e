import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { expect, test } from 'vitest';
import { environmentSources } from './env-file.ts';

test('.env in the working directory is optional', () => {
  const directory = mkdtempSync(`${tmpdir()}/tallyport-env-`);
  try {
    expect(environmentSources(directory)).toEqual({ environment: process.env, known: expect.any(Array) });
    writeFileSync(`${directory}/.env`, '# said\nCOLOUR="dark blue" # really\nEMPTY=\n');
    expect(environmentSources(directory).file).toEqual({ COLOUR: 'dark blue', EMPTY: '' });
  } finally {
    rmSync(directory, { recursive: true });
  }
});

test('the settings of all services are known to each', () => {
  expect(environmentSources().known).toEqual(expect.arrayContaining(['CHAT_STRICT', 'CONSOLE_PORT', 'SECRETS_KEY']));
});

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { parseEnv } from 'node:util';
import { z } from 'zod';
import { expect, test } from 'vitest';
import { namesInExample, renderEnvExample } from './env-example.ts';
import { environmentSources } from './env-file.ts';
import { defineConfig } from './setting.ts';

const first = defineConfig({
  COLOUR: { schema: z.string(), default: 'blue', description: 'The colour.' },
  PLACE: { schema: z.string().optional(), example: 'here', description: 'The place.' },
});
const second = defineConfig({ ...first, TOKEN: { schema: z.string().optional(), description: 'The token.' } });

test('the example lists every name once, with its default and its description', () => {
  const text = renderEnvExample([
    { title: 'First', settings: first },
    { title: 'Second', settings: second },
    { title: 'Nothing new', settings: first },
  ]);
  expect(text.slice(text.indexOf('\n# ---'))).toBe(`
# --- First ---

# The colour.
#COLOUR=blue

# The place.
#PLACE=here

# --- Second ---

# The token.
#TOKEN=
`);
  expect(namesInExample(text)).toEqual(['COLOUR', 'PLACE', 'TOKEN']);
});

test('an unchanged copy of the example sets nothing', () => {
  expect(parseEnv(renderEnvExample([{ title: 'All', settings: second }]))).toEqual({});
});

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

import { access, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { importCommand } from './command.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'import-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Imports a file with this text into a new folder. */
async function run(from: string, text: string, ...words: string[]) {
  const file = join(folder, 'source');
  const to = await mkdtemp(join(folder, 'to-'));
  await writeFile(file, text);
  let [out, problems] = ['', ''];
  const code = await importCommand([from, file, '--to', to, ...words], {
    out: (part) => (out += part),
    problem: (part) => (problems += part),
    environment: {},
  });
  return { code, out, problems, written: await readdir(to) };
}

const deployment = '- { model_name: m, litellm_params: { model: openai/gpt-5.5 } }\n';
const bomb = Array.from({ length: 12 }, (_, at) => `x${at + 1}: &x${at + 1} [*x${at}, *x${at}, *x${at}]`).join('\n');

test.each([
  ['nested too deeply', '['.repeat(100_000), /source:1: /],
  ['one that expands its aliases', `x0: &x0 [a]\n${bomb}`, /its aliases cannot be resolved/],
  ['one with a member twice', 'model_list: []\nmodel_list: []', /source:2: /],
  ['too large', ' '.repeat(1_000_001), /larger than 1 MB/],
])('a file is refused, and nothing is written: %s', async (_kind, text, problem) => {
  for (const from of ['litellm', 'portkey']) {
    expect(await run(from, text)).toEqual({ code: 1, out: '', problems: expect.stringMatching(problem), written: [] });
  }
});

test('a file as large as allowed is read', async () => {
  const text = `model_list:\n${deployment}`;
  expect(await run('litellm', text + ' '.repeat(1_000_000 - text.length))).toMatchObject({
    code: 0,
    written: ['gateway.yaml'],
  });
});

test('2,000 deployments are read, and further ones reported', async () => {
  const many = (count: number) => `model_list:\n${deployment.repeat(count)}`;
  expect((await run('litellm', many(2_000))).out).not.toContain('Only the first');
  expect((await run('litellm', many(2_001))).out).toContain('Only the first 2000 models are read.');
});

test('the places of what is left over have the lines of the file', async () => {
  const { out } = await run('litellm', `# a comment\nmodel_list:\n${deployment}odd: 1\n`);
  expect(out).toContain(`${join(folder, 'source')}:4 odd\n`);
});

test('values of a wrong type are reported, and write nothing', async () => {
  for (const text of ['', 'text', '[]', 'model_list: 1', 'targets: { a: 1 }', 'strategy: []\ntargets: [[1]]']) {
    for (const from of ['litellm', 'portkey']) expect(await run(from, text)).toMatchObject({ code: 0, written: [] });
  }
});

test('dumps are refused beyond their bound, and without a file', async () => {
  const dump = join(folder, 'dump.json');
  await writeFile(dump, '[1');
  expect(await run('litellm', deployment, '--keys', dump)).toMatchObject({ code: 1, written: [] });
  expect(await run('litellm', deployment, '--keys', join(folder, 'none.sql'))).toMatchObject({ code: 1, written: [] });
  expect(await run('portkey', '{}', '--keys', dump)).toMatchObject({
    code: 1,
    problems: expect.stringContaining('--keys is for LiteLLM'),
  });
  await expect(access(join(folder, 'gateway.yaml'))).rejects.toThrow();
});

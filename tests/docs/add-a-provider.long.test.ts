import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { Offer } from '@tallyport/contracts';
import type { findChatProvider } from '@tallyport/providers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { commands } from '../../scripts/launch/commands.mjs';
import { runToEnd } from '../support/run-to-end.ts';
import { wholly } from '../support/scale.ts';
import { copyTree } from './copy-tree.ts';
import { blocksOf } from './markdown.ts';

// Long: it copies and checks the whole tree.
// About: docs/providers.md, packages/providers/src/registry.ts, packages/providers/src/openai-compatible.

const home = 'packages/providers/src';
/** The suite of all providers, run for the new one only, and the tests of the registry and the catalogue. */
const checks = {
  files: [`${home}/registry.test.ts`, 'services/catalog-svc/src/data.test.ts'],
  titles: '^(acme |the registry|a provider is found|the data files)',
};

/** Usually, only the tests that write files with providers in them. The others are rules for every source file. */
const writing = wholly ? [] : ['docs', 'openapi', 'settings'].map((name) => `tests/structure/${name}.test.ts`);

interface Report {
  testResults: readonly { assertionResults: readonly { fullName: string; status: string }[] }[];
}

describe('the provider that docs/providers.md adds, in a copy of the tree', () => {
  let copy: string;
  const read = (path: string): Promise<string> => readFile(join(copy, path), 'utf8');
  const node = (...words: readonly string[]): Promise<string> =>
    runToEnd(process.execPath, words, { cwd: copy, env: environment() });

  beforeAll(async () => {
    copy = await copyTree(fileURLToPath(new URL('../..', import.meta.url)));
    const section = (await read('docs/providers.md')).split('## Add a provider\n')[1] ?? '';
    const [code = '', line = '', models = ''] = blocksOf(section).map(({ text }) => `${text}\n`);
    const registry = await read(`${home}/registry.ts`);
    await mkdir(join(copy, home, 'acme'));
    await writeFile(join(copy, home, 'acme/chat.ts'), code);
    await writeFile(join(copy, home, 'registry.ts'), registry.replace('export', `${line}export`));
    await writeFile(join(copy, 'services/catalog-svc/src/data/acme.json'), models);
  });
  afterAll(() => rm(copy, { recursive: true }));

  test('is one short file and one line', async () => {
    const code = await read(`${home}/acme/chat.ts`);
    expect(code).toContain("import { openAiCompatible } from '../openai-compatible/chat.ts';");
    expect(code.trim().split('\n').length).toBeLessThanOrEqual(30);
    expect((await read(`${home}/registry.ts`)).split('\n').filter((line) => line.includes('acme'))).toHaveLength(1);
  });

  test('translates a request as configured', async () => {
    const file = pathToFileURL(join(copy, home, 'index.ts')).href;
    const providers: { findChatProvider: typeof findChatProvider } = await import(file);
    const acme = providers.findChatProvider('acme');
    const messages = [{ role: 'user' as const, content: 'Hi' }];
    const request = { model: 'acme-large', messages, max_tokens: 5 };
    const sent = acme?.request({ request, stream: false }, offer);
    expect([acme?.id, acme?.keyVariable]).toEqual(['acme', 'ACME']);
    expect(JSON.parse(sent?.body ?? '')).toEqual({ model: 'large-1', messages, max_completion_tokens: 5 });
  });

  test('passes the tests of all providers and of the catalogue', async () => {
    const words = ['--testNamePattern', checks.titles, '--reporter', 'json', '--outputFile', 'checks.json'];
    await node('node_modules/vitest/vitest.mjs', 'run', ...checks.files, ...words);
    const { testResults }: Report = JSON.parse(await read('checks.json'));
    const passed = testResults
      .flatMap(({ assertionResults }) => assertionResults)
      .filter(({ status }) => status === 'passed')
      .map(({ fullName }) => fullName);
    expect(passed.filter((name) => name.startsWith('acme ')).length).toBeGreaterThan(30);
    expect(passed).toEqual(
      expect.arrayContaining([
        'acme folds a stream to the same answer as the JSON',
        'the registry is in alphabetical order and ids are unique',
        'the data files name only registered providers',
      ]),
    );
  });

  test('passes format and lint, and appears in all generated files', async () => {
    await node(...commands.docs, ...writing);
    await node('node_modules/oxfmt/bin/oxfmt', '--check', `${home}/acme`, `${home}/registry.ts`);
    await node('node_modules/oxlint/bin/oxlint', '--deny-warnings', `${home}/acme`, `${home}/registry.ts`);
    for (const path of ['docs/providers.md', 'docs/settings.md']) expect(await read(path)).toContain('ACME_API_KEY');
  });
});

/** Lets the nested runs use the servers of this run. */
const environment = (): NodeJS.ProcessEnv =>
  Object.fromEntries(
    Object.entries(process.env).filter(
      ([name]) => ['PATH', 'HOME', 'NODE_COMPILE_CACHE'].includes(name) || name.startsWith('TEST_'),
    ),
  );

const offer: Offer = {
  providerId: 'acme',
  modelName: 'large-1',
  pricing: {},
  streaming: true,
  vision: false,
  tools: true,
  parallelToolCalls: true,
  reasoning: false,
  cancellation: true,
  stability: 'stable',
};

import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { requestOutcomeNames, requestOutcomes } from '@tallyport/management';
import { chatProviders } from '@tallyport/providers';
import { readConfig } from '@tallyport/service-kit';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import manifest from '../../package.json' with { type: 'json' };
import settingNames from '../../packages/service-kit/src/config/setting-names.json' with { type: 'json' };
import { readLastLongRun } from '../../scripts/test/long-run.ts';
import { lifeSteps } from '../../packages/serving/src/life-steps.ts';
import { schemaRows } from '../../deploy/helm/values-table.ts';
import { gatherIngredients } from '../../services/catalog-svc/src/ingredients.ts';
import { applyLayer } from '../../services/catalog-svc/src/layers/apply-layer.ts';
import { parseOperatorFile } from '../../services/catalog-svc/src/operator-file/read-operator-file.ts';
import { readDataFiles } from '../../services/catalog-svc/src/read-data.ts';
import { conversationTable } from '../conversations/matrix.ts';
import { blocksOf, documents, proseOf, slugsOf } from '../docs/markdown.ts';
import { classTable } from './class-table.ts';
import { featureTable } from './feature-table.ts';
import { importTable } from './import-table.ts';
import { markdownTable } from './markdown-table.ts';
import { providerTable } from './provider-table.ts';
import { root } from './sources.ts';
import { triesTable } from './tries-table.ts';

const all = documents();

// Fails after a provider was added or changed: `npm run docs` writes the tables anew.
test('docs/providers.md shows every provider, its variables, what it supports and what holds over turns', async () => {
  const file = join(root, 'docs/providers.md');
  const text = readFileSync(file, 'utf8');
  // All tables in one test: a second one would overwrite what the first one has written.
  const keys = withGenerated(text, 'providers', providerTable(chatProviders));
  const features = withGenerated(keys, 'features', featureTable(chatProviders));
  await expect(withGenerated(features, 'conversations', conversationTable())).toMatchFileSnapshot(file);
});

// Fails after the table of imports or the steps of a request were changed: `npm run docs` writes both anew.
test('docs/architecture.md shows who may import whom, and the life of a request', async () => {
  const file = join(root, 'docs/architecture.md');
  const imports = withGenerated(readFileSync(file, 'utf8'), 'imports', importTable());
  const steps = lifeSteps.map(({ name, does, onFailure }) => [name, does, onFailure]);
  const life = markdownTable([['step', 'what happens', 'when it fails'], ...steps]);
  await expect(withGenerated(imports, 'life', life)).toMatchFileSnapshot(file);
});

// Fails after an outcome of requests was changed: `npm run docs` writes the table anew.
test('docs/dashboard.md explains every outcome of a request', async () => {
  const file = join(root, 'docs/dashboard.md');
  const rows = requestOutcomeNames.map((name) => {
    const { word, meaning } = requestOutcomes[name];
    return [word, `\`${name}\``, meaning];
  });
  const table = markdownTable([['outcome', 'filter', 'meaning'], ...rows]);
  await expect(withGenerated(readFileSync(file, 'utf8'), 'outcomes', table)).toMatchFileSnapshot(file);
});

// Fails after a value of the chart was changed: `npm run docs` writes the table anew.
test('the README of the chart shows every value', async () => {
  const file = join(root, 'deploy/helm/tallyport/README.md');
  const rows = schemaRows().map(({ path, description }) => [`\`${path}\``, description]);
  const table = markdownTable([['value', 'effect'], ...rows]);
  await expect(withGenerated(readFileSync(file, 'utf8'), 'values', table)).toMatchFileSnapshot(file);
});

// Fails after a class was added, priced or tested: `npm run docs` writes the table anew.
test('docs/billing.md shows which classes are read, priced and tested', async () => {
  const file = join(root, 'docs/billing.md');
  await expect(withGenerated(readFileSync(file, 'utf8'), 'classes', await classTable())).toMatchFileSnapshot(file);
});

// Fails after a run of all long tests: `npm run docs` writes its result.
test('docs/testing.md shows the last whole run of the long tests', async () => {
  const file = join(root, 'docs/testing.md');
  const { date, commit, passed, failed, minutes } = await readLastLongRun();
  const row = [date, `\`${commit}\``, String(passed), String(failed), String(minutes)];
  const table = markdownTable([['date', 'commit', 'passed', 'failed', 'minutes'], row]);
  await expect(withGenerated(readFileSync(file, 'utf8'), 'long-run', table)).toMatchFileSnapshot(file);
});

// Fails after hostile tests were added or removed: `npm run docs` counts them anew.
test('docs/security.md shows what was tried', async () => {
  const file = join(root, 'docs/security.md');
  await expect(withGenerated(readFileSync(file, 'utf8'), 'tries', await triesTable())).toMatchFileSnapshot(file);
});

describe('documents', () => {
  test('are all checked', () => {
    expect(all.map(({ path }) => path)).toEqual(
      expect.arrayContaining([
        'README.md',
        'CONTRIBUTING.md',
        'docs/architecture.md',
        'docs/operate.md',
        'docs/security.md',
        'bench/README.md',
      ]),
    );
  });

  test.for(all)('links of $path have a target', ({ path, text }) => {
    const links = [...proseOf(text).matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = '']) => target);
    const inside = links.filter((target) => !/^[a-z]+:/.test(target));
    expect(inside.filter((target) => !hasTarget(path, target))).toEqual([]);
  });

  test.for(all)('JSON and YAML in $path can be read', ({ text }) => {
    const readers: Readonly<Record<string, (block: string) => unknown>> = { json: JSON.parse, yaml: parse };
    for (const { language, text: block } of blocksOf(text)) expect(() => readers[language]?.(block)).not.toThrow();
  });

  test('examples of tallyport.yaml are valid', async () => {
    const base = gatherIngredients(await readDataFiles(join(root, 'services/catalog-svc/src/data')));
    const providers = new Set(chatProviders.map(({ id }) => id));
    const examples = all.flatMap(({ path, text }) =>
      [...text.matchAll(/<!-- tallyport\.yaml -->\s+```yaml\n([^`]+)```/g)].map(([, block = '']) => ({ path, block })),
    );
    for (const { path, block } of examples) {
      expect(() => applyLayer(base, parseOperatorFile(path, block).layer, providers)).not.toThrow();
    }
    expect(examples.map(({ path }) => path)).toEqual(['docs/catalogue.md', 'docs/providers.md', 'docs/providers.md']);
  });

  test.for(all)('commands in $path exist', ({ text }) => {
    const scripts = [...text.matchAll(/\bnpm run (?:--silent )?([a-z:]+)/g)].map(([, name = '']) => name);
    expect(scripts.filter((name) => !(name in manifest.scripts))).toEqual([]);
  });

  test.for(all)('settings in $path exist', ({ text }) => {
    const settings = [...text.matchAll(/`([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+)(?:=[^`]*)?`/g)].map(([, name = '']) => name);
    expect(settings.filter((name) => !settingNames.includes(name) && !foreignSettings.test(name))).toEqual([]);
  });

  test('variables that clients should export do not stop a service that starts in the same shell', () => {
    const names = all.flatMap(({ text }) => text.match(/\bTALLYPORT_[A-Z_]+\b/g) ?? []);
    const environment = Object.fromEntries(names.map((name) => [name, 'x']));
    expect(Object.keys(environment)).toContain('TALLYPORT_API_KEY');
    expect(readConfig({}, { environment, known: ['TALLYPORT_CONFIG'] })).toEqual({});
  });

  test('every test that operate.md names exists', () => {
    const operate = readFileSync(join(root, 'docs/operate.md'), 'utf8');
    const tested = [...operate.matchAll(/^tested: (\S+): (.+)$/gm)];
    const missing = tested.filter(
      ([, file = '', title = '']) => !readFileSync(join(root, file), 'utf8').includes(title),
    );
    expect(missing.map(([line]) => line)).toEqual([]);
    expect(tested.length).toBeGreaterThan(10);
  });
});

/** Settings of tests, images and shells, placeholders such as `ACME_API_KEY`, and words of vendors' APIs. */
const foreignSettings =
  /^(INVALID_JSON$|MALFORMED_FUNCTION_CALL$|TEST_|BUILD_IMAGE$|NODE_EXTRA_CA_CERTS$|IDENTITY_SECRET_|RUN_IMAGE$|NODE_(?:COMPILE_CACHE|OPTIONS)$|PAGE_PICTURES$|TALLYPORT_API_KEY$|([A-Z]+_)?ADMIN_KEY$|MY_VLLM|ACME_)|_FILE$/;

/** The text of a document with the generated part of this name replaced. */
function withGenerated(text: string, name: string, generated: string): string {
  const block = new RegExp(`(?<=<!-- generated: ${name} -->\\n)[\\s\\S]*?(?=<!-- end of ${name} -->)`);
  expect(text).toMatch(block);
  return text.replace(block, () => `\n${generated}\n\n`);
}

function hasTarget(from: string, target: string): boolean {
  const [path = '', anchor] = target.split('#');
  const file = path === '' ? from : relative(root, join(root, dirname(from), path));
  if (!existsSync(join(root, file))) return false;
  return anchor === undefined || slugsOf(readFileSync(join(root, file), 'utf8')).includes(anchor);
}

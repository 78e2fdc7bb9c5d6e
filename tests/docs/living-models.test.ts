import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { gatherIngredients, type Ingredients } from '../../services/catalog-svc/src/ingredients.ts';
import { readDataFiles } from '../../services/catalog-svc/src/read-data.ts';

const root = join(import.meta.dirname, '../..');
const leastDays = 60;

/** What people read and copy, and the tests that ask the real catalogue at the real time. */
const files = globSync(
  [
    '*.md',
    '{bench,deploy,docs,packages,services,tests}/**/*.md',
    '{bench,scripts,tests}/**/*.{ts,mjs,yaml}',
    'services/edge/src/reference/openapi.json',
    'services/{all-in-one,console-svc,mcp-svc}/src/**/*.{ts,txt}',
    'services/ledger-svc/src/demo-data/**/*.{ts,json}',
  ],
  { cwd: root, exclude: ['**/node_modules/**'] },
)
  .map((path) => path.replaceAll('\\', '/'))
  .toSorted();

/** Files that name a model that ends, and why. */
const exceptions: Readonly<Record<string, string>> = {
  'tests/clients/azure.suite.ts': 'as in endpoints.test.ts',
  'tests/clients/endpoints.test.ts': 'its gateway keeps models that OpenAI ends without a successor',
  'tests/clients/speech.suite.ts': 'as in endpoints.test.ts',
  'tests/vendors/claude.test.ts': 'clouds serve models longer than their maker, and adapters keep their rules',
};

describe('examples', () => {
  let ending: ReadonlyMap<string, string>;
  beforeAll(async () => {
    const data = await readDataFiles(join(root, 'services/catalog-svc/src/data'));
    ending = endingModels(gatherIngredients(data));
  });

  test('name models that live for two months after the date of the catalogue', () => {
    expect(ending.size).toBeGreaterThan(0);
    const found = files.filter((path) => !(path in exceptions)).flatMap((path) => mentionsIn(path, ending));
    expect(found, 'Use a model without an end, or say above why the file needs this one.').toEqual([]);
  });

  test('have no exception that is not needed', () => {
    expect(Object.keys(exceptions).filter((path) => mentionsIn(path, ending).length === 0)).toEqual([]);
  });
});

/** Names of models with the day of their end at any vendor, if it is within two months after the catalogue's date. */
function endingModels({ models, gathered }: Ingredients): Map<string, string> {
  const last = new Date((gathered + leastDays * 86_400) * 1_000).toISOString();
  const ends = [...models.values()].flatMap(({ id, aliases, deactivatedAt, offers }) => {
    const dates = [deactivatedAt, ...offers.map((offer) => offer.deactivatedAt)].filter((date) => date !== undefined);
    const [first] = dates.toSorted();
    return first !== undefined && first < last ? [id, ...aliases].map((name) => [name, first] as const) : [];
  });
  return new Map(ends);
}

/** The end of a sentence may follow a name, more of a name may not. */
const names = /(?<![\w.-])[a-z][\w-]*(?:\.\d[\w-]*)*(?![\w\\-])/g;

function mentionsIn(path: string, ending: ReadonlyMap<string, string>): string[] {
  const text = readFileSync(join(root, path), 'utf8');
  const found = new Set([...text.matchAll(names)].map(([name]) => name).filter((name) => ending.has(name)));
  return [...found].map((name) => `${path}: ${name} ends ${ending.get(name)?.slice(0, 10)}`);
}

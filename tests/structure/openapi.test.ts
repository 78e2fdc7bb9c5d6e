import { Validator } from '@seriousme/openapi-schema-validator';
import { expect, test } from 'vitest';
import { describedOperations, openApiDocument } from '../../scripts/openapi/document.ts';
import { relayedRoutes, type Services } from '../../services/edge/src/routes.ts';

const document = await openApiDocument();

// Fails after the API was changed: `npm run docs` writes the document anew.
test('edge serves the document that the schemas generate', async () => {
  const text = `${JSON.stringify(document, null, 2)}\n`;
  await expect(text).toMatchFileSnapshot('../../services/edge/src/reference/openapi.json');
});

test('the document is valid OpenAPI 3.1', async () => {
  const validator = new Validator();
  const { valid, errors } = await validator.validate(JSON.parse(JSON.stringify(document)));
  expect({ valid, errors, version: validator.version }).toEqual({ valid: true, errors: undefined, version: '3.1' });
});

test('members have the descriptions and formats of their schemas', () => {
  const { components } = document;
  const { ImageEditForm: form, Usage: usage } = components.schemas as Record<string, { properties: object }>;
  expect([form?.properties, usage?.properties]).toMatchObject([
    { mask: { type: 'string', format: 'binary', description: expect.stringContaining('a PNG') } },
    { cost: { type: 'number', description: 'Cost of the answer in USD. Absent if the price is unknown.' } },
  ]);
});

test('every reference has a target', () => {
  const references = [...JSON.stringify(document).matchAll(/"\$ref":"#\/components\/([^"]+)"/g)].map(
    ([, path]) => path,
  );
  const existing = Object.entries(document.components).flatMap(([kind, all]) =>
    Object.keys(all).map((name) => `${kind}/${name}`),
  );
  expect([...new Set(references)].filter((path) => !existing.includes(path ?? ''))).toEqual([]);
});

test('every path that edge relays is described, and every operation id is unique', () => {
  const operations = describedOperations();
  const described = operations.map(({ method, path }) => `${method} ${path}`);
  const client = new Proxy({}, { get: () => async () => undefined });
  const names = ['auth', 'batch', 'catalog', 'chat', 'image', 'ledger'];
  const all = relayedRoutes(Object.fromEntries(names.map((name) => [name, client])) as unknown as Services);
  // Those for modules of our pages are no part of the API.
  const relayed = all.filter(({ key }) => key !== 'session');
  expect(relayed.map(({ method, path }) => `${method} ${path}`).filter((route) => !described.includes(route))).toEqual(
    [],
  );
  expect(
    described
      .filter((route) => /\/v[12](beta)?\/(?!.*\/api\/)|\/rerank$| \/ws\//.test(route) && !route.includes('/api/'))
      .toSorted(),
  ).toEqual(relayed.map(({ method, path }) => `${method} ${path}`).toSorted());
  expect(new Set(operations.map(({ id }) => id)).size).toBe(operations.length);
});

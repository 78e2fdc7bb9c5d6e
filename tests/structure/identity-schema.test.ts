import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { identityJsonSchema } from '../../services/auth-svc/src/identity/document/identity-schema.ts';
import { root } from './sources.ts';

// Fails after the schema of the document was changed: `npm run docs` writes the file anew.
test('docs/identity.schema.json is the schema of the identity document', async () => {
  const text = `${JSON.stringify(identityJsonSchema(), null, 2)}\n`;
  await expect(text).toMatchFileSnapshot('../../docs/identity.schema.json');
});

test('editors accept the examples of the documents and mark wrong members', () => {
  const validate = new Ajv2020({ strict: false, logger: false }).compile(identityJsonSchema());
  const examples = ['identity.md', 'workload-identity.md', 'projects.md'].flatMap((name) => {
    const text = readFileSync(join(root, 'docs', name), 'utf8');
    return [...text.matchAll(/<!-- identity\.yaml -->\s+```yaml\n([^`]+)```/g)].map(([, block = '']) => block);
  });
  const results = examples.map((example) => (validate(parse(example)) ? [] : validate.errors));
  expect(results).toEqual(Array.from({ length: 7 }, () => []));
  const provider = { id: 'a', name: 'A', issuer: 'https://a.example', clientId: 'c' };
  const access = [{ everyone: true, account: 'default', role: 'member' }];
  const wrong = [
    { passwords: 'maybe' },
    { provider: [] },
    { providers: [{ ...provider, access, recheckMinutes: -1 }] },
    { providers: [{ ...provider, access, recheckMinutes: 1441 }] },
    { providers: [{ ...provider, access: [] }] },
    { workloads: [{ id: 'bots', issuer: 'https://a.example' }] },
  ];
  expect(validate({ providers: [{ ...provider, access, recheckMinutes: 1440 }] })).toBe(true);
  expect(wrong.filter((document) => validate(document))).toEqual([]);
});

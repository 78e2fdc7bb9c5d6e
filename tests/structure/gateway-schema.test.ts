import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gatewayJsonSchema, readGatewayDocument } from '@tallyport/gateway-document';
import { expect, test } from 'vitest';
import { root } from './sources.ts';

// Fails after the management API was changed: `npm run docs` writes the schema anew.
test('docs/gateway.schema.json is the schema of the gateway document', async () => {
  const text = `${JSON.stringify(gatewayJsonSchema(), null, 2)}\n`;
  await expect(text).toMatchFileSnapshot('../../docs/gateway.schema.json');
});

test('the example in docs/config-as-code.md is valid', () => {
  const guide = readFileSync(join(root, 'docs/config-as-code.md'), 'utf8');
  const [, example = ''] = /<!-- gateway\.yaml -->\s+```yaml\n([^`]+)```/.exec(guide) ?? [];
  const { document } = readGatewayDocument('docs/config-as-code.md', example);
  expect(Object.keys(document.accounts)).toEqual(['default', 'Search']);
});

import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { readConfig } from './read.ts';
import { secretsOf } from './secrets.ts';
import { sandboxConfig } from './common.ts';
import { sandboxIsOn, vendorAccessFromEnvironment, vendorAccess, vendorConfig } from './vendor.ts';

const stems = ['ACME', 'GLOBEX'] as const;
const settings = { ...sandboxConfig, ...vendorConfig(stems) };

test('a vendor may have several keys and another address', () => {
  const environment = { ACME_API_KEY: 'one, two,one', ACME_BASE_URL: 'http://127.0.0.1:9/v1/' };
  const config = readConfig(settings, { environment });
  expect(vendorAccess(config, 'ACME')).toMatchObject({ keys: ['one', 'two'], baseUrl: 'http://127.0.0.1:9/v1' });
  expect(vendorAccess(config, 'GLOBEX')).toMatchObject({ keys: [], baseUrl: undefined });
  expect(vendorAccess(config, 'INITECH')).toMatchObject({ keys: [], baseUrl: undefined });
  expect(config.ACME_API_KEY).toEqual(['one', 'two']);
});

test('every key is a secret', () => {
  const config = readConfig(settings, { environment: { ACME_API_KEY: 'one,two', GLOBEX_BASE_URL: 'http://x' } });
  expect(secretsOf(settings, config)).toEqual(['one', 'two']);
});

describe("a vendor's own variables", () => {
  const further = [
    { name: 'ACME_REGION', description: 'The region.', example: 'east' },
    { name: 'ACME_SECRET', description: 'The secret.', secret: true },
    { name: 'ACME_KEY_FILE', description: 'The key file.', file: true },
  ] as const;
  const own = vendorConfig(stems, further);
  const read = (environment: Record<string, string>) => readConfig(own, { environment });

  test('are read by name', () => {
    const { setting } = vendorAccess(read({ ACME_REGION: ' west ' }), 'ACME');
    expect([setting('ACME_REGION'), setting('ACME_SECRET'), setting('INITECH')]).toEqual([
      'west',
      undefined,
      undefined,
    ]);
  });

  test('are secrets where declared as such', () => {
    expect(secretsOf(own, read({ ACME_REGION: 'west', ACME_SECRET: 'hush' }))).toEqual(['hush']);
  });

  test('may be the path of a file, read into its text', () => {
    const file = fileURLToPath(import.meta.url);
    expect(vendorAccess(read({ ACME_KEY_FILE: file }), 'ACME').setting('ACME_KEY_FILE')).toBe(
      readFileSync(file, 'utf8'),
    );
    expect(() => read({ ACME_KEY_FILE: `${file}.none` })).toThrow('must be the path of a file that can be read');
  });
});

describe('an undeclared provider', () => {
  test('is read from the environment and the file, by its stem', () => {
    const sources = {
      environment: { OWN_API_KEY: 'one, two', COLUOR_API_KEY: 'x' },
      file: { OWN_BASE_URL: 'http://127.0.0.1:8000/v1/', OWN_API_KEY: 'three' },
    };
    const { keys, baseUrl } = vendorAccessFromEnvironment('OWN', sources);
    expect([keys, baseUrl]).toEqual([['one', 'two'], 'http://127.0.0.1:8000/v1']);
    const none = vendorAccessFromEnvironment('OTHER', { environment: { OTHER_BASE_URL: 'nowhere' } });
    expect([none.keys, none.baseUrl]).toEqual([[], undefined]);
  });
});

describe('the sandbox', () => {
  test.each([
    [{}, true],
    [{ GLOBEX_BASE_URL: 'http://127.0.0.1' }, true],
    [{ GLOBEX_API_KEY: 'key' }, false],
    [{ GLOBEX_API_KEY: 'key', SANDBOX: 'on' }, true],
    [{ SANDBOX: 'off' }, false],
  ])('with %o is on: %s', (environment, on) => {
    expect(sandboxIsOn(readConfig(settings, { environment }), stems)).toBe(on);
  });
});

import { describe, expect, test } from 'vitest';
import { readConfig } from './read.ts';
import { secretsOf } from './secrets.ts';
import { sandboxConfig } from './common.ts';
import { sandboxIsOn, vendorAccess, vendorConfig } from './vendor.ts';

const stems = ['ACME', 'GLOBEX'] as const;
const settings = { ...sandboxConfig, ...vendorConfig(stems) };

test('a vendor may have several keys and another address', () => {
  const environment = { ACME_API_KEY: 'one, two,one', ACME_BASE_URL: 'http://127.0.0.1:9/v1/' };
  const config = readConfig(settings, { environment });
  expect(vendorAccess(config, 'ACME')).toEqual({ keys: ['one', 'two'], baseUrl: 'http://127.0.0.1:9/v1' });
  expect(vendorAccess(config, 'GLOBEX')).toEqual({ keys: [], baseUrl: undefined });
  expect(vendorAccess(config, 'NOBODY')).toEqual({ keys: [], baseUrl: undefined });
  expect(config.ACME_API_KEY).toEqual(['one', 'two']);
});

test('every key is a secret', () => {
  const config = readConfig(settings, { environment: { ACME_API_KEY: 'one,two', GLOBEX_BASE_URL: 'http://x' } });
  expect(secretsOf(settings, config)).toEqual(['one', 'two']);
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

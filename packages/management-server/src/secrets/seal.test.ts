import { expect, test } from 'vitest';
import { unseal } from './seal.ts';

const key = { id: 'k1', bytes: Buffer.alloc(32, 7) };
const place = { id: 'one', purpose: 'provider-key', accountId: 'acme' };
/** Sealed by the first version. */
const sealed = 'AQEBAQEBAQEBAQEBBYqkwfXRiGGjimsARHcdiNToVq3v_vYRwQ';

test('opens what the first version has sealed, at its place only', () => {
  expect(unseal(sealed, place, key)?.reveal()).toBe('sk-vendor');
  expect(unseal(sealed, { ...place, accountId: 'other' }, key)).toBeUndefined();
});

import { inspect } from 'node:util';
import { ConfigError, readConfig } from '@tallyport/service-kit';
import { describe, expect, it } from 'vitest';
import { secretsConfig } from './config.ts';
import { createKeyRing } from './key-ring.ts';
import { generateMasterKey, readMasterKey } from './master-key.ts';
import { Secret } from './secret.ts';

const hex = '00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff';
const base64 = Buffer.from(hex, 'hex').toString('base64');

const keyOf = (text: string) => {
  const key = readMasterKey(text);
  if (key === undefined) throw new Error(`${text} is not a key.`);
  return key;
};

describe('a master key', () => {
  it('accepts 32 bytes in any common encoding, named by their hash', () => {
    const spellings = [
      hex,
      hex.toUpperCase(),
      base64,
      base64.replace('=', ''),
      Buffer.from(hex, 'hex').toString('base64url'),
    ];
    expect(new Set(spellings.map((text) => JSON.stringify(keyOf(text)))).size).toBe(1);
    expect(keyOf(hex)).toEqual({ id: '4773d12e2371', bytes: Buffer.from(hex, 'hex') });
  });

  it('accepts an id', () => {
    expect(keyOf(`2027-a:${base64}`)).toEqual({ id: '2027-a', bytes: Buffer.from(hex, 'hex') });
  });

  it('generates a new key each time', () => {
    expect(keyOf(generateMasterKey()).bytes).toHaveLength(32);
    expect(generateMasterKey()).not.toBe(generateMasterKey());
  });

  it.each([
    ['31 bytes', hex.slice(2)],
    ['33 bytes', `${hex}00`],
    ['a password', 'correct horse battery staple correct horse ba'],
    ['a name and nothing', 'name:'],
    ['a name with spaces', `my key:${base64}`],
    ['a name that is too long', `${'n'.repeat(33)}:${base64}`],
    ['nothing', ''],
  ])('rejects %s', (_what, text) => expect(readMasterKey(text)).toBeUndefined());
});

describe('SECRETS_KEY', () => {
  const read = (text: string) => readConfig(secretsConfig, { environment: { SECRETS_KEY: text } }).SECRETS_KEY;

  it('accepts one key, several, or none', () => {
    expect(read(`new:${base64}, ${hex}`)).toEqual([`new:${base64}`, hex]);
    expect(read('')).toBeUndefined();
  });

  it('rejects an invalid key without showing it', () => {
    const problem =
      'SECRETS_KEY: must be 32 bytes in base64 or hex, or id:key, or several of them separated by commas; generate one: npm run secrets -- generate.';
    expect(() => read('hunter2')).toThrow(new ConfigError([problem]));
    expect(() => read(`a:${base64},a:${hex}`)).toThrow(
      'SECRETS_KEY: has two keys with the id "a"; give each its own id.',
    );
  });
});

describe('a key ring', () => {
  const place = { id: 'one', purpose: 'test', accountId: 'acme' };
  const secret = new Secret('the text');

  it('opens what it sealed, and seals differently each time', () => {
    const ring = createKeyRing([keyOf(hex)]);
    const sealed = ring.seal(secret, place);
    expect(sealed).toEqual({ key_id: '4773d12e2371', sealed: expect.stringMatching(/^[\w-]+$/) });
    expect(ring.unseal(sealed, place)?.reveal()).toBe('the text');
    expect(ring.seal(secret, place).sealed).not.toBe(sealed.sealed);
  });

  it('seals texts of any length', () => {
    const ring = createKeyRing([keyOf(hex)]);
    for (const text of ['', 'ü', 'k'.repeat(100_000)]) {
      expect(ring.unseal(ring.seal(new Secret(text), place), place)?.reveal()).toBe(text);
    }
  });

  it('opens with any of its keys and seals with the first', () => {
    const old = createKeyRing([keyOf(`old:${hex}`)]);
    const both = createKeyRing([keyOf(`new:${generateMasterKey()}`), keyOf(`old:${hex}`)]);
    expect(both.unseal(old.seal(secret, place), place)?.reveal()).toBe('the text');
    expect(both.seal(secret, place).key_id).toBe('new');
    expect(old.unseal(both.seal(secret, place), place)).toBeUndefined();
  });

  it('does not open a changed secret, or one moved to another row, account or purpose', () => {
    const ring = createKeyRing([keyOf(`k:${hex}`)]);
    const { sealed } = ring.seal(secret, place);
    const swapped = (at: number) => sealed.slice(0, at) + (sealed[at] === 'A' ? 'B' : 'A') + sealed.slice(at + 1);
    const opened = (text: string, where: typeof place | { id: string; purpose: string } = place) =>
      ring.unseal({ key_id: 'k', sealed: text }, where);
    expect(opened(sealed)).toBeDefined();
    for (let at = 0; at < sealed.length - 1; at += 1) expect(opened(swapped(at))).toBeUndefined();
    expect(opened(sealed.slice(0, 20))).toBeUndefined();
    expect(opened('')).toBeUndefined();
    expect(opened(sealed, { ...place, id: 'two' })).toBeUndefined();
    expect(opened(sealed, { ...place, accountId: 'other' })).toBeUndefined();
    expect(opened(sealed, { ...place, purpose: 'other' })).toBeUndefined();
    expect(opened(sealed, { id: 'one', purpose: 'test' })).toBeUndefined();
  });

  it('opens nothing sealed by another key of the same id', () => {
    const sealed = createKeyRing([keyOf(`k:${hex}`)]).seal(secret, place);
    expect(createKeyRing([keyOf(`k:${generateMasterKey()}`)]).unseal(sealed, place)).toBeUndefined();
  });
});

it('a secret does not reveal its text, however it is printed', () => {
  const secret = new Secret('hunter2');
  const shown = [
    String(secret),
    `${secret}`,
    JSON.stringify({ secret }),
    inspect({ secret }, { showHidden: true, depth: 9 }),
  ];
  expect(shown).toEqual(['[secret]', '[secret]', '{"secret":"[secret]"}', '{ secret: [secret] }']);
  expect(JSON.stringify(Object.entries(secret))).toBe('[]');
});

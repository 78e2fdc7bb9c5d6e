import { makeKey } from '@tallyport/contracts';
import { readConfig } from '@tallyport/service-kit';
import { describe, expect, it } from 'vitest';
import { authConfig } from './config.ts';

const read = (key: string) => readConfig(authConfig, { environment: { BOOTSTRAP_API_KEY: key } }).BOOTSTRAP_API_KEY;
const ours = makeKey();

describe('BOOTSTRAP_API_KEY', () => {
  it.each([
    ['16 characters', 'x'.repeat(16)],
    ['512 characters', 'x'.repeat(512)],
    ['a generated key', ours],
    ['punctuation', '!"#$%&/()=?+*-_.:,;<>|~'],
  ])('accepts %s', (_what, key) => {
    expect(read(key)).toBe(key);
  });

  it.each([
    ['15 characters', 'x'.repeat(15)],
    ['513 characters', 'x'.repeat(513)],
    ['a text with a space', 'sixteen characters'],
    ['a text that is not ASCII', 'sixteen-charäcters'],
    ['a mistyped generated key', `${ours.slice(0, -1)}${ours.endsWith('a') ? 'b' : 'a'}`],
  ])('rejects %s without showing it', (_what, key) => {
    expect(() => read(key)).toThrow(/^BOOTSTRAP_API_KEY: /);
    expect(() => read(key)).not.toThrow(key);
  });
});

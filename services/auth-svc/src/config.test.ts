import { makeKey } from '@switchyard/contracts';
import { readConfig } from '@switchyard/service-kit';
import { describe, expect, it } from 'vitest';
import { authConfig } from './config.ts';

const read = (key: string) => readConfig(authConfig, { environment: { BOOTSTRAP_API_KEY: key } }).BOOTSTRAP_API_KEY;
const ours = makeKey();

describe('BOOTSTRAP_API_KEY', () => {
  it.each([
    ['16 characters', 'x'.repeat(16)],
    ['512 characters', 'x'.repeat(512)],
    ['one of our own keys', ours],
    ['signs', '!"#$%&/()=?+*-_.:,;<>|~'],
  ])('may be %s', (_what, key) => {
    expect(read(key)).toBe(key);
  });

  it.each([
    ['15 characters', 'x'.repeat(15)],
    ['513 characters', 'x'.repeat(513)],
    ['with a space', 'sixteen characters'],
    ['beyond ASCII', 'sixteen-charäcters'],
    ['a mistyped key of ours', `${ours.slice(0, -1)}${ours.endsWith('a') ? 'b' : 'a'}`],
  ])('is refused without being shown when it is %s', (_what, key) => {
    expect(() => read(key)).toThrow(/^BOOTSTRAP_API_KEY: /);
    expect(() => read(key)).not.toThrow(key);
  });
});

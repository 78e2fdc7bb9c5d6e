import { describe, expect, it } from 'vitest';
import { createPasswords } from './passwords.ts';

const quick = { log2N: 10, r: 8, p: 1 };

describe('passwords', () => {
  const passwords = createPasswords({ cost: quick });

  it('match whatever the Unicode composition of their characters, and only then', async () => {
    const stored = await passwords.hash('Zo\u00eb likes caf\u00e9s');
    expect(stored).toMatch(/^\$scrypt\$ln=10,r=8,p=1\$[\w-]{22}\$[\w-]{43}$/);
    expect(await passwords.verify('Zoe\u0308 likes cafe\u0301s', stored)).toEqual({ matches: true, outdated: false });
    expect(await passwords.verify('Zoe likes cafes', stored)).toEqual({ matches: false, outdated: false });
    expect(await passwords.verify('', stored)).toEqual({ matches: false, outdated: false });
    expect(await passwords.hash('Zo\u00eb likes caf\u00e9s')).not.toBe(stored);
  });

  it('never match without a stored hash', async () => {
    expect(await passwords.verify('anything', undefined)).toEqual({ matches: false, outdated: false });
  });

  it('are hashed with the current parameters, and reported as outdated when these grow', async () => {
    const stored = await passwords.hash('a long password');
    const grown = createPasswords({ cost: { ...quick, p: 2 } });
    expect(await grown.verify('a long password', stored)).toEqual({ matches: true, outdated: true });
    expect(await grown.verify('another password', stored)).toEqual({ matches: false, outdated: false });
    expect(await createPasswords().hash('a long password')).toMatch(/^\$scrypt\$ln=15,r=8,p=3\$/);
  });

  it.each(['', 'plain text', '$scrypt$ln=30,r=8,p=1$AAAAAAAAAAAAAAAAAAAAAA$' + 'A'.repeat(43)])(
    'are not checked against the malformed hash %j',
    async (stored) => {
      await expect(passwords.verify('anything', stored)).rejects.toThrow('cannot be read');
    },
  );

  it('queue up to 34 checks, and refuse further ones at once', async () => {
    const tries = Array.from({ length: 35 }, () => passwords.verify('anything', undefined));
    const ends = await Promise.allSettled(tries);
    expect(ends.filter(({ status }) => status === 'fulfilled')).toHaveLength(34);
    expect(ends.at(-1)).toMatchObject({ status: 'rejected', reason: { code: 'overloaded', retryAfterMs: 1_000 } });
    expect(await passwords.verify('anything', undefined)).toEqual({ matches: false, outdated: false });
  });
});

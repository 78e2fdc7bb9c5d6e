import { describe, expect, it } from 'vitest';
import { createPasswords } from './passwords.ts';

const quick = { log2N: 10, r: 8, p: 1 };

describe('passwords', () => {
  const passwords = createPasswords({ cost: quick });

  it('match whatever the Unicode composition of their characters, and only then', async () => {
    const stored = await passwords.hash('Zo\u00eb likes caf\u00e9s');
    expect(stored).toMatch(/^\$scrypt\$ln=10,r=8,p=1\$[\w-]{22}\$[\w-]{43}$/);
    expect(await passwords.find('Zoe\u0308 likes cafe\u0301s', [stored])).toEqual({ index: 0, outdated: false });
    expect(await passwords.find('Zoe likes cafes', [stored])).toBeUndefined();
    expect(await passwords.find('', [stored])).toBeUndefined();
    expect(await passwords.hash('Zo\u00eb likes caf\u00e9s')).not.toBe(stored);
  });

  it('never match without a stored hash', async () => {
    expect(await passwords.find('anything', [])).toBeUndefined();
  });

  it('are hashed with the current parameters, and reported as outdated when these grow', async () => {
    const stored = await passwords.hash('a long password');
    const grown = createPasswords({ cost: { ...quick, p: 2 } });
    expect(await grown.find('a long password', [stored])).toEqual({ index: 0, outdated: true });
    expect(await grown.find('another password', [stored])).toBeUndefined();
    expect(await createPasswords().hash('a long password')).toMatch(/^\$scrypt\$ln=15,r=8,p=3\$/);
  });

  it.each(['', 'plain text', '$scrypt$ln=30,r=8,p=1$AAAAAAAAAAAAAAAAAAAAAA$' + 'A'.repeat(43)])(
    'are not checked against the malformed hash %j',
    async (stored) => {
      await expect(passwords.find('anything', [stored])).rejects.toThrow('cannot be read');
    },
  );

  it('of one e-mail address have one salt, so several take as long as one', async () => {
    // Each salt is hashed once.
    const first = await passwords.hash('password 0');
    const beside = [first];
    const apart = [first];
    for (let n = 1; n < 10; n++) {
      beside.push(await passwords.hash(`password ${n}`, beside));
      apart.push(await passwords.hash(`password ${n}`));
    }
    const salts = (stored: readonly string[]) => new Set(stored.map((each) => each.split('$')[3])).size;
    expect([salts(beside), salts(apart)]).toEqual([1, 10]);
    expect(await passwords.find('password 9', beside)).toEqual({ index: 9, outdated: false });
    // Those of older versions get the salt of the oldest one at the next sign-in.
    expect(await passwords.find('password 9', apart)).toEqual({ index: 9, outdated: true });
  });

  it('queue up to 34 checks, and refuse further ones at once', async () => {
    const tries = Array.from({ length: 35 }, () => passwords.find('anything', []));
    const ends = await Promise.allSettled(tries);
    expect(ends.filter(({ status }) => status === 'fulfilled')).toHaveLength(34);
    expect(ends.at(-1)).toMatchObject({ status: 'rejected', reason: { code: 'overloaded', retryAfterMs: 1_000 } });
    expect(await passwords.find('anything', [])).toBeUndefined();
  });
});

import { expect } from 'vitest';

/** The whole way: make a key, see it, end it, see that. Returns the key's text. */
export async function expectLifeOfKey(key: (...words: string[]) => Promise<string>): Promise<string> {
  const created = await key('create', 'my app');
  const shown = /^(sk-sy-\w{38})\n\nThis is the only time it is shown. Its id is (\w+)\.\n$/.exec(created);
  const [, text = '', id = ''] = shown ?? [];
  const line = `${id}  ${text.slice(0, 12)}…  "my app"  created \\S+  not used yet`;
  expect(await key('list')).toMatch(new RegExp(`^${line}  works$`, 'm'));
  expect(await key('revoke', id)).toBe(`${id} is revoked.\n`);
  expect(await key('list')).toMatch(new RegExp(`^${line}  revoked \\d{4}-\\S+$`, 'm'));
  await expect(key('revoke', 'key_nobody')).rejects.toThrow(
    'There is no key with the id key_nobody. See them all: npm run key -- list',
  );
  return text;
}

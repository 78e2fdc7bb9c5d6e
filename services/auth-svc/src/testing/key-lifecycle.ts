import { expect } from 'vitest';

/** Creates a key, lists it, revokes it and lists it again. Returns the key. */
export async function expectKeyLifecycle(key: (...words: string[]) => Promise<string>): Promise<string> {
  const created = await key('create', 'my app');
  const shown = /^(sk-tp-\w{38})\n\nCopy it now: it is not shown again\. Its id is (\w+)\.\n$/.exec(created);
  const [, text = '', id = ''] = shown ?? [];
  const line = `${id}  ${text.slice(0, 12)}…  "my app"  created \\S+  never used`;
  expect(await key('list')).toMatch(new RegExp(`^${line}  active$`, 'm'));
  expect(await key('revoke', id)).toBe(`Revoked ${id}.\n`);
  expect(await key('list')).toMatch(new RegExp(`^${line}  revoked \\d{4}-\\S+$`, 'm'));
  await expect(key('revoke', 'key_nobody')).rejects.toThrow(
    'There is no key with the id key_nobody. List all keys: npm run key -- list',
  );
  return text;
}

import { editMembers, type JsonChange, type NativeRequest, replaceMembers } from '@tallyport/wire';

/** The body of a request that is passed on, with these members replaced if they are there, and added if not. */
export function withNativeMembers(
  { body, members }: Pick<NativeRequest, 'body' | 'members'>,
  changes: readonly JsonChange[],
): Buffer {
  const missing = changes.filter(({ path: [name = ''] }) => !Object.hasOwn(members, name));
  const replaced = replaceMembers(body, changes);
  if (missing.length === 0) return replaced;
  const added = Object.fromEntries(missing.map(({ path: [name = ''], value }) => [name, value]));
  return editMembers(replaced, { removed: new Set(), added });
}

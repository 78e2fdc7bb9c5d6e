/**
 * Remembers what was read of an object, for as long as the object lives. For objects that never change, such as those of
 * a catalogue: a new version has new ones.
 */
export function oncePer<Key extends object, Value extends NonNullable<unknown>>(
  read: (key: Key) => Value,
): (key: Key) => Value {
  const known = new WeakMap<Key, Value>();
  return (key) => {
    const before = known.get(key);
    if (before !== undefined) return before;
    const value = read(key);
    known.set(key, value);
    return value;
  };
}

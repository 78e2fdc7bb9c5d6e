/** A map with a maximum size; setting a further entry drops the one that was set first. */
interface BoundedMap<Value> {
  get(key: string): Value | undefined;
  set(key: string, value: Value): void;
}

export function boundedMap<Value>(most: number): BoundedMap<Value> {
  const entries = new Map<string, Value>();
  return {
    get: (key) => entries.get(key),
    set(key, value) {
      entries.delete(key);
      entries.set(key, value);
      const [oldest] = entries.keys();
      if (entries.size > most && oldest !== undefined) entries.delete(oldest);
    },
  };
}

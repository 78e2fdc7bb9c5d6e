/**
 * Writes for five minutes are `cacheWrite`, as in the ledger. Each rule: all of these words, or one of the alternatives of a word, name this class. The first that fits
 * counts.
 */
const rules: readonly (readonly [billedClass: string, ...words: readonly (readonly string[])[]])[] = [
  ['webSearches', ['web', 'websearch'], ['search', 'searches', 'websearch']],
  ['webFetches', ['web', 'webfetch'], ['fetch', 'fetches', 'webfetch']],
  ['codeSessions', ['code'], ['execution', 'interpreter']],
  ['fileSearches', ['file'], ['search', 'searches']],
  ['cacheWrite1h', ['cache'], ['write', 'writes', 'creation'], ['1h']],
  ['cacheWrite12h', ['cache'], ['write', 'writes', 'creation'], ['12h']],
  ['cacheWrite30m', ['cache'], ['write', 'writes', 'creation'], ['30m']],
  ['cacheWrite', ['cache'], ['write', 'writes', 'creation']],
  ['cacheRead', ['cache', 'cached'], ['read', 'reads', 'cached', 'hit', 'hits', 'input', 'prompt']],
  ['audioOut', ['audio'], ['output', 'out', 'completion']],
  ['audioIn', ['audio'], ['input', 'in', 'prompt']],
  ['imageOut', ['image'], ['output', 'out', 'completion']],
  ['imageIn', ['image'], ['input', 'in', 'prompt']],
  ['images', ['image', 'images']],
  ['compactionIn', ['compaction'], ['input']],
  ['compactionOut', ['compaction'], ['output']],
  ['output', ['output', 'completion', 'completions', 'reasoning']],
  ['input', ['input', 'prompt', 'uncached']],
];

const longest = 100;

/** Our name of the class that a vendor's text means, such as `gpt-6, cached input`; the text itself if none is known. */
export function billedClassOf(text: string): string {
  const spaced = text.replaceAll(/([a-z])([A-Z])/g, '$1 $2').toLowerCase();
  const words = new Set(spaced.split(/[^a-z0-9]+/));
  const known = rules.find(([, ...needed]) => needed.every((either) => either.some((word) => words.has(word))));
  return known?.[0] ?? text.trim().slice(0, longest);
}

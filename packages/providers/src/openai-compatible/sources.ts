import type { Annotation } from '@switchyard/wire';
import { isMembers, items, type Members, members, text } from '../read.ts';

/**
 * Sources some vendors list at the top level of their answer, as annotations. Those vendors do not say which words a
 * source stands behind, so the annotation points at none.
 */
export function sourcesIn(body: Members): Annotation[] {
  const sources = new Map<string, Annotation>();
  for (const source of [...items(body.search_results), ...items(body.citations)]) {
    const { url, title } = typeof source === 'string' ? { url: source } : members(source);
    const address = text(url);
    if (address === undefined || sources.has(address)) continue;
    const url_citation = { start_index: 0, end_index: 0, title: text(title) ?? address, url: address };
    sources.set(address, { type: 'url_citation', url_citation });
  }
  return [...sources.values()];
}

/** Puts the sources of each chunk of a stream into its first choice, those told before left out. */
export function createSourceStream(): (body: Members) => Members {
  const told = new Set<string>();

  return (body) => {
    const fresh = sourcesIn(body).filter(({ url_citation: { url } }) => !told.has(url));
    if (fresh.length === 0) return body;
    for (const { url_citation } of fresh) told.add(url_citation.url);
    const [first, ...further] = items(body.choices);
    const { delta, message, ...choice } = members(first);
    const said = members(delta ?? message);
    const annotations = [...items(said.annotations), ...fresh];
    return {
      ...body,
      choices: [{ index: 0, ...choice, delta: { ...said, annotations } }, ...further.filter(isMembers)],
    };
  };
}

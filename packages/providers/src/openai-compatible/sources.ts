import type { Annotation } from '@tallyport/wire';
import { isMembers, items, type Members, members, text } from '../read.ts';

/**
 * Sources that some vendors list at the top level of their answer, as annotations. These vendors do not link a source
 * to a part of the text, so the annotation's range is empty.
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

/** Adds the sources of each chunk to its first choice, without those already sent. */
export function createSourceStream(): (body: Members) => Members {
  const sentUrls = new Set<string>();

  return (body) => {
    const fresh = sourcesIn(body).filter(({ url_citation: { url } }) => !sentUrls.has(url));
    if (fresh.length === 0) return body;
    for (const { url_citation } of fresh) sentUrls.add(url_citation.url);
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

import type { Annotation } from '@tallyport/wire';
import { type Members, text } from '../read.ts';

/**
 * The annotation for a citation with a URL. Both positions are 0: the vendor shows the cited place only by the order of
 * its deltas, and text deltas may be forwarded unparsed.
 */
export function annotationOf(citation: Members): Annotation | undefined {
  const url = text(citation.url) ?? text(citation.source);
  if (url === undefined) return undefined;
  const title = text(citation.title) ?? url;
  return { type: 'url_citation', url_citation: { start_index: 0, end_index: 0, title, url } };
}

import type { Annotation } from '@switchyard/wire';
import { type Members, text } from '../read.ts';

/**
 * A citation that has an address. Where in the answer it belongs the vendor says only by the order of its pieces, and
 * pieces of text pass by unread: both places are 0.
 */
export function annotationOf(citation: Members): Annotation | undefined {
  const url = text(citation.url) ?? text(citation.source);
  if (url === undefined) return undefined;
  const title = text(citation.title) ?? url;
  return { type: 'url_citation', url_citation: { start_index: 0, end_index: 0, title, url } };
}

import type { Annotation } from '@tallyport/wire';
import { items, type Members, members, finiteNumber, text } from '../read.ts';

/** The sources of a finished answer. The vendor counts positions in bytes, clients count characters. */
export function groundingAnnotations(candidate: Members, said: string): Annotation[] {
  const { groundingChunks, groundingSupports } = members(candidate.groundingMetadata);
  const sources = items(groundingChunks).map((chunk) => members(members(chunk).web));
  const supports = items(groundingSupports).map(members);
  const bytes = Buffer.from(said);
  const characters = (count: unknown): number => bytes.toString('utf8', 0, finiteNumber(count) ?? 0).length;

  function annotation(source: Members, place: Members): Annotation[] {
    const url = text(source.uri);
    if (url === undefined) return [];
    const start_index = characters(place.startIndex);
    const end_index = characters(place.endIndex);
    return [{ type: 'url_citation', url_citation: { start_index, end_index, title: text(source.title) ?? url, url } }];
  }

  const supported = supports.flatMap(({ segment, groundingChunkIndices }) =>
    items(groundingChunkIndices).flatMap((index) =>
      annotation(members(sources[finiteNumber(index) ?? -1]), members(segment)),
    ),
  );
  const { citationSources, citations } = members(candidate.citationMetadata);
  const cited = [...items(citationSources), ...items(citations)]
    .map(members)
    .flatMap((citation) => annotation(citation, citation));
  // Without supports, all sources are returned.
  const whole = supported.length > 0 ? supported : sources.flatMap((source) => annotation(source, {}));
  return [...whole, ...cited];
}

import type { ServerToolUse } from '@tallyport/wire';
import { items, type Members, members, text } from '../read.ts';

/**
 * What the vendor bills for grounding an answer: each search, or with the second generation of models one grounded
 * prompt however many searches it took. `undefined` if nothing was looked up.
 */
export function groundingsIn({ groundingMetadata }: Members, model: string): ServerToolUse | undefined {
  const { webSearchQueries, imageSearchQueries, groundingChunks } = members(groundingMetadata);
  const searches = asBilled(webSearchQueries, model);
  const images = asBilled(imageSearchQueries, model);
  const maps = items(groundingChunks).some((chunk) => members(chunk).maps !== undefined) ? 1 : 0;
  if (searches + images + maps === 0) return undefined;
  return {
    ...(searches > 0 && { grounding_search_requests: searches }),
    ...(maps > 0 && { grounding_maps_requests: maps }),
    ...(images > 0 && { grounding_image_requests: images }),
  };
}

/** Empty queries and repeated ones are free. */
function asBilled(queries: unknown, model: string): number {
  return groundedPrompts(new Set(items(queries).flatMap((query) => text(query) ?? [])).size, model);
}

/** How many of some lookups are billed. */
export const groundedPrompts = (lookups: number, model: string): number =>
  model.startsWith('gemini-2') ? Math.min(1, lookups) : lookups;

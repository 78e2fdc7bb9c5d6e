import { expect, test } from 'vitest';
import { groundingsIn } from './groundings.ts';

const candidate = (groundingMetadata: object) => ({ groundingMetadata });
const queries = { webSearchQueries: ['one', '', 'two', 'one'] };

test.each<[string, object, string, object | undefined]>([
  ['no search', {}, 'gemini-3.6-flash', undefined],
  ['empty queries only', { webSearchQueries: [''] }, 'gemini-3.6-flash', undefined],
  ['different queries', queries, 'gemini-3.6-flash', { grounding_search_requests: 2 }],
  ['a prompt of the second generation', queries, 'gemini-2.5-flash', { grounding_search_requests: 1 }],
  ['images', { imageSearchQueries: ['a'] }, 'gemini-3.6-flash', { grounding_image_requests: 1 }],
  ['places', { groundingChunks: [{ web: {} }, { maps: {} }] }, 'gemini-3.6-flash', { grounding_maps_requests: 1 }],
])('%s', (_what, metadata, model, counts) => {
  expect(groundingsIn(candidate(metadata), model)).toEqual(counts);
});

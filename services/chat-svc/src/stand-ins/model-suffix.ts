import type { ModelIndex } from '@tallyport/dispatch';
import { type ReadRequest, withModel } from '../read-request.ts';

const sortOf: ReadonlyMap<string, 'price' | 'throughput'> = new Map([
  [':floor', 'price'],
  [':nitro', 'throughput'],
]);

/** `gpt-6-luna:floor` is the cheapest offer of a model, `:nitro` the fastest. A model of the whole name comes first. */
export function withSuffixRead(read: ReadRequest, index: ModelIndex): ReadRequest {
  const { request, preferences } = read;
  const at = request.model.lastIndexOf(':');
  const sort = at < 1 ? undefined : sortOf.get(request.model.slice(at));
  if (sort === undefined || index.find(request.model) !== undefined) return read;
  return { ...withModel(read, request.model.slice(0, at)), preferences: { ...preferences, sort } };
}

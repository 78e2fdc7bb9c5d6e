import type { ArrivedRequest } from '@tallyport/sandbox';
import type { SimulatedBatch } from './batch-desk.ts';

interface BatchList {
  batches: readonly SimulatedBatch[];
  /** As an item of the list. */
  document(batch: SimulatedBatch): object;
  /** The member of the query that names the last batch of the page before. */
  after: string;
}

/** The page of a list that a request asks for. */
export function pageOfBatches({ query }: ArrivedRequest, { batches, document, after }: BatchList) {
  const asked = new URLSearchParams(query);
  const from = asked.has(after) ? batches.findIndex(({ id }) => id === asked.get(after)) + 1 : 0;
  const page = batches.slice(from, from + Number(asked.get('limit') ?? 20));
  return {
    data: page.map(document),
    has_more: from + page.length < batches.length,
    first_id: page[0]?.id ?? null,
    last_id: page.at(-1)?.id ?? null,
  };
}

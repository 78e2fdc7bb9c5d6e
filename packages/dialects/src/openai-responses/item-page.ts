import { z } from 'zod';
import { refuseMember } from '../refuse-member.ts';
import type { ListedItem } from './listed-items.ts';

const limitSchema = z.coerce.number().int().min(1).max(100).default(20);
const orderSchema = z.enum(['asc', 'desc']).default('desc');

/** The answer of `GET /v1/responses/{id}/input_items`. Throws `invalid_parameters` with the name of a wrong parameter. */
export function itemPage(items: readonly ListedItem[], query: URLSearchParams) {
  const limit =
    limitSchema.safeParse(query.get('limit') ?? undefined).data ??
    refuseMember('limit', 'must be a whole number from 1 to 100');
  const order =
    orderSchema.safeParse(query.get('order') ?? undefined).data ?? refuseMember('order', 'must be asc or desc');
  const ordered = order === 'asc' ? items : items.toReversed();
  const from = placeAfter(query.get('after'), ordered);
  const data = ordered.slice(from, from + limit);
  return {
    object: 'list' as const,
    data,
    first_id: data[0]?.id ?? null,
    last_id: data.at(-1)?.id ?? null,
    has_more: from + data.length < ordered.length,
  };
}

function placeAfter(after: string | null, items: readonly ListedItem[]): number {
  if (after === null) return 0;
  const at = items.findIndex(({ id }) => id === after);
  return at < 0 ? refuseMember('after', 'must be the id of an item of this list') : at + 1;
}

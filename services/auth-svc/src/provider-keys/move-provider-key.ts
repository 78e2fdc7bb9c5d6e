import { type Queries, sql } from '@tallyport/database';
import { listProviderKeys } from './list-provider-keys.ts';

interface ProviderKeyMove {
  accountId: string;
  id: string;
  /** From 1; a position after the last one is the last. */
  position: number;
}

/** Moves a key among those of its provider. The account must be locked, so that concurrent moves do not mix. */
export async function moveProviderKey(queries: Queries, { accountId, id, position }: ProviderKeyMove): Promise<void> {
  const keys = await listProviderKeys(queries, accountId);
  const moved = keys.find((each) => each.id === id);
  if (moved === undefined) return;
  const others = keys.filter((each) => each.provider === moved.provider && each.id !== id).map((each) => each.id);
  const order = others.toSpliced(position - 1, 0, id);
  await sql`update provider_keys set position = wanted.position
    from jsonb_array_elements_text(${JSON.stringify(order)}::jsonb) with ordinality as wanted (id, position)
    where provider_keys.id = wanted.id`.execute(queries);
}

import type { CatalogueOverride } from '@tallyport/contracts';
import type { Database } from '@tallyport/database';
import { z } from 'zod';

/** An override as stored in the database. */
export interface OverrideRow extends CatalogueOverride {
  updatedAt: string;
}

const most = 10_000;
const kindSchema = z.enum(['model', 'provider']);

/** Reads all overrides of known kinds, providers first, because models may be offered by them. */
export async function readOverrides({ kysely }: Database): Promise<OverrideRow[]> {
  const rows = await kysely
    .selectFrom('catalogue_overrides')
    .selectAll()
    .where('kind', 'in', kindSchema.options)
    .orderBy('kind', 'desc')
    .orderBy('id')
    .limit(most)
    .execute();
  return rows.map(({ kind, id, value, updated_at }) => ({
    kind: kindSchema.parse(kind),
    id,
    value: z.json().parse(value),
    updatedAt: updated_at.toISOString(),
  }));
}

export async function storeOverride({ kysely }: Database, { kind, id, value }: CatalogueOverride): Promise<void> {
  const json = JSON.stringify(value);
  await kysely
    .insertInto('catalogue_overrides')
    .values({ kind, id, value: json })
    .onConflict((conflict) =>
      conflict.columns(['kind', 'id']).doUpdateSet((set) => ({ value: json, updated_at: set.fn<Date>('now') })),
    )
    .execute();
}

/** Resolves with `false` if there is none. */
export async function deleteOverride(
  { kysely }: Database,
  { kind, id }: Pick<CatalogueOverride, 'kind' | 'id'>,
): Promise<boolean> {
  const { numDeletedRows } = await kysely
    .deleteFrom('catalogue_overrides')
    .where('kind', '=', kind)
    .where('id', '=', id)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

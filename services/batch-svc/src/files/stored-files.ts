import type { Database, Queries, Row } from '@tallyport/database';
import type { FileOwner } from './file-owner.ts';
import { noSuchFile } from './file-id.ts';
import { sql } from '@tallyport/database';

/** A file that clients see. */
export interface StoredFile extends FileOwner {
  id: string;
  filename: string;
  purpose: string;
  mediaType: string;
  bytes: number;
  createdAt: Date;
  expiresAt: Date | null;
}

/** A part of the list of an owner's files. */
export interface FilePage {
  limit: number;
  order: 'asc' | 'desc';
  purpose?: string | undefined;
  /** The page begins behind it. Throws `not_found` for an id that is not in the list. */
  after?: string | undefined;
  /** Only these. */
  ids?: readonly string[] | undefined;
}

/** Throws `not_found` for unknown and expired ones, and those of other owners. */
export async function findFile(database: Database, owner: FileOwner, id: string): Promise<StoredFile> {
  const row = await visible(database.kysely, owner).where('id', '=', id).executeTakeFirst();
  if (row === undefined) throw noSuchFile();
  return fileOf(row);
}

/** One file more than the page has, if there are more. */
export async function listFiles(database: Database, owner: FileOwner, page: FilePage): Promise<StoredFile[]> {
  let query = visible(database.kysely, owner);
  if (page.purpose !== undefined) query = query.where('purpose', '=', page.purpose);
  if (page.ids !== undefined) query = query.where('id', 'in', page.ids);
  if (page.after !== undefined) {
    const { id } = await findFile(database, owner, page.after);
    const place = sql`(select created_at, id from files where id = ${id})`;
    const isBehind =
      page.order === 'asc' ? sql<boolean>`(created_at, id) > ${place}` : sql<boolean>`(created_at, id) < ${place}`;
    query = query.where(isBehind);
  }
  const rows = await query
    .orderBy('created_at', page.order)
    .orderBy('id', page.order)
    .limit(page.limit + 1)
    .execute();
  return rows.map(fileOf);
}

/** Hides the file, whose content is removed then. Throws `not_found` as `findFile` does. */
export async function hideFile(database: Database, owner: FileOwner, id: string): Promise<StoredFile> {
  const row = await database.kysely
    .updateTable('files')
    .set({ status: 'deleted', sweep_at: sql<Date>`now() + interval '1 minute'` })
    .where('id', '=', id)
    .where(isVisibleTo(owner))
    .returningAll()
    .executeTakeFirst();
  if (row === undefined) throw noSuchFile();
  return fileOf(row);
}

const visible = (queries: Queries, owner: FileOwner) =>
  queries.selectFrom('files').selectAll().where(isVisibleTo(owner));

const isVisibleTo = ({ accountId, projectId }: FileOwner) => sql<boolean>`account_id = ${accountId}
  and project_id is not distinct from ${projectId}::text
  and status = 'ready' and (expires_at is null or expires_at > now())`;

const fileOf = (row: Row<'files'>): StoredFile => ({
  id: row.id,
  accountId: row.account_id,
  projectId: row.project_id,
  filename: row.filename,
  purpose: row.purpose,
  mediaType: row.media_type,
  bytes: Number(row.bytes),
  createdAt: row.created_at,
  expiresAt: row.expires_at,
});

import type { ApiKey } from '@switchyard/contracts';

interface KeyRow {
  id: string;
  name: string;
  prefix: string;
  created_at: Date;
  expires_at: Date | null;
  revoked_at: Date | null;
  last_used_at: Date | null;
}

export const keyColumns = [
  'id',
  'name',
  'prefix',
  'created_at',
  'expires_at',
  'revoked_at',
  'last_used_at',
] as const satisfies readonly (keyof KeyRow)[];

/** A row as callers see it: dates as text, what is not there left out. */
export const keyRecord = (row: KeyRow): ApiKey => ({
  id: row.id,
  name: row.name,
  prefix: row.prefix,
  createdAt: row.created_at.toISOString(),
  ...(row.expires_at && { expiresAt: row.expires_at.toISOString() }),
  ...(row.revoked_at && { revokedAt: row.revoked_at.toISOString() }),
  ...(row.last_used_at && { lastUsedAt: row.last_used_at.toISOString() }),
});

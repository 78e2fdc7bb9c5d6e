import type { ColumnType } from 'kysely';

type CreatedAt = ColumnType<Date, Date | undefined, never>;
/** Arrays are stored as jsonb: read as values, written as JSON text, the one form both drivers take unchanged. */
type JsonList = ColumnType<string[] | null, string | null | undefined, string | null>;

export interface AccountsTable {
  id: string;
  name: string;
  created_at: CreatedAt;
}

export interface ApiKeysTable {
  id: string;
  account_id: string;
  name: string;
  /** The first characters, for people to recognise it by. */
  prefix: string;
  /** Lower-case hex of the SHA-256 of the key's text. The text itself is stored nowhere. */
  key_hash: string;
  created_at: CreatedAt;
  expires_at: Date | null;
  revoked_at: Date | null;
  last_used_at: Date | null;
  allowed_models: JsonList;
  allowed_providers: JsonList;
}

export interface CatalogueOverridesTable {
  kind: string;
  id: string;
  /** JSON `null` takes a model or provider away; the column itself is never null. */
  value: ColumnType<unknown, string, string>;
  updated_at: ColumnType<Date, Date | undefined, Date>;
}

export interface Schema {
  accounts: AccountsTable;
  api_keys: ApiKeysTable;
  catalogue_overrides: CatalogueOverridesTable;
}

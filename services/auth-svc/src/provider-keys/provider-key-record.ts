import type { ProviderKeyRecord } from '@switchyard/management';

interface ProviderKeyRow {
  id: string;
  provider: string;
  label: string;
  last_four: string;
  enabled: boolean;
  created_at: Date;
  updated_at: Date;
}

export const providerKeyColumns = [
  'id',
  'provider',
  'label',
  'last_four',
  'enabled',
  'created_at',
  'updated_at',
] as const satisfies readonly (keyof ProviderKeyRow)[];

export const providerKeyRecord = (row: ProviderKeyRow): ProviderKeyRecord => ({
  id: row.id,
  provider: row.provider,
  label: row.label,
  lastFour: row.last_four,
  enabled: row.enabled,
  createdAt: row.created_at.toISOString(),
  updatedAt: row.updated_at.toISOString(),
});

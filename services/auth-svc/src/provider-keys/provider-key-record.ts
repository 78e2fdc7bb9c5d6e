import type { Row } from '@tallyport/database';
import type { ProviderKeyRecord } from '@tallyport/management';

export const providerKeyColumns = [
  'id',
  'provider',
  'label',
  'last_four',
  'enabled',
  'created_at',
  'updated_at',
  'last_used_at',
  'last_worked_at',
  'last_error',
  'last_error_at',
] as const satisfies readonly (keyof Row<'provider_keys'>)[];

type ProviderKeyRow = Pick<Row<'provider_keys'>, (typeof providerKeyColumns)[number]>;

export const providerKeyRecord = (row: ProviderKeyRow, position: number): ProviderKeyRecord => ({
  id: row.id,
  provider: row.provider,
  position,
  label: row.label,
  lastFour: row.last_four,
  enabled: row.enabled,
  state: row.enabled ? (isRefused(row) ? 'refused' : 'enabled') : 'disabled',
  ...(row.last_used_at && { lastUsedAt: row.last_used_at.toISOString() }),
  ...(row.last_error !== null &&
    row.last_error_at && { lastError: { type: row.last_error, at: row.last_error_at.toISOString() } }),
  createdAt: row.created_at.toISOString(),
  updatedAt: row.updated_at.toISOString(),
});

/** Errors after which a key does not work until someone does something. */
const lasting: readonly string[] = ['own_key_refused', 'own_key_billing'];

function isRefused({ last_error, last_error_at, last_worked_at }: ProviderKeyRow): boolean {
  if (last_error === null || last_error_at === null || !lasting.includes(last_error)) return false;
  return last_worked_at === null || last_worked_at < last_error_at;
}

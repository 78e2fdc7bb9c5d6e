import { type ContentLogSetting, type KeptContent, knownContentLogSchema } from '@tallyport/contracts';
import type { Database } from '@tallyport/database';
import { Secret } from '@tallyport/management-server';
import type { ContentKeys } from './content-keys.ts';
import { contentPlace } from './content-place.ts';
import { createExpiryDays, expiryDay } from './expiry-days.ts';

/** Encrypts and stores contents. Those of accounts that keep none any more are ignored, like repeated ones. */
export type StoreContents = (contents: readonly KeptContent[]) => Promise<void>;

export function createContentStore(database: Database, keys: ContentKeys): StoreContents {
  const knownDays = new Set<string>();

  async function ensureDays(days: Iterable<string>): Promise<void> {
    const missing = [...new Set(days)].filter((day) => !knownDays.has(day));
    await createExpiryDays(database, missing);
    for (const day of missing) knownDays.add(day);
  }

  return async (contents) => {
    const settings = await settingsOf(database, contents);
    const now = new Date();
    const rows = [];
    for (const { id, accountId, content } of contents) {
      const days = settings.get(accountId)?.days;
      if (days === undefined) continue;
      const key = await keys.current(database.kysely, accountId, now);
      const { key_id: contentKey, sealed } = key.seal(new Secret(JSON.stringify(content)), contentPlace(id, accountId));
      rows.push({ id, account_id: accountId, expires_on: expiryDay(now, days), content_key: contentKey, sealed });
    }
    if (rows.length === 0) return;
    await ensureDays(rows.map(({ expires_on: day }) => day));
    await database.kysely
      .insertInto('request_contents')
      .values(rows)
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  };
}

async function settingsOf(
  { kysely }: Database,
  contents: readonly KeptContent[],
): Promise<ReadonlyMap<string, ContentLogSetting>> {
  if (contents.length === 0) return new Map();
  const accounts = await kysely
    .selectFrom('accounts')
    .select(['id', 'content_log'])
    .where('id', 'in', [...new Set(contents.map(({ accountId }) => accountId))])
    .where('content_log', 'is not', null)
    .execute();
  return new Map(accounts.map(({ id, content_log: log }) => [id, knownContentLogSchema.parse(log)]));
}

import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Restrictions that an admin set on a key: its creator may only tighten them. */
export const keyBounds: Migration = {
  async up(database: Kysely<unknown>) {
    await database.schema.alterTable('api_keys').addColumn('bounds', 'jsonb').execute();
    await takeFromAuditLog(database);
  },
};

/**
 * For existing keys, takes the restrictions set by other users than their creator from the audit log, unless later
 * removed.
 */
async function takeFromAuditLog(database: Kysely<unknown>): Promise<void> {
  await sql`
    with settings as (
      select id, user_id, jsonb_strip_nulls(jsonb_build_object(
        'expiresAt', to_jsonb(to_char(expires_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')),
        'allowedModels', allowed_models, 'allowedProviders', allowed_providers, 'allowedAddresses', allowed_addresses,
        'limits', limits, 'budget', budget, 'cacheTtlSeconds', cache_ttl_seconds
      )) as setting
      from api_keys where user_id is not null
    ), bounded as (
      select settings.id, jsonb_object_agg(detail.key, settings.setting -> detail.key) as bounds
      from settings
      join audit_log on audit_log.subject = settings.id and audit_log.action = 'key.changed'
        and audit_log.actor <> 'user:' || settings.user_id
      cross join lateral jsonb_each(audit_log.detail) as detail
      where settings.setting ? detail.key and detail.value <> 'null'::jsonb
      group by settings.id
    )
    update api_keys set bounds = bounded.bounds from bounded where bounded.id = api_keys.id`.execute(database);
}

import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

const columns = ['audio_in_tokens', 'audio_out_tokens', 'characters', 'audio_seconds'];

/** Speech is paid by the character or the token, transcriptions by the second or the token. */
export const usageOfAudio: Migration = {
  async up(database: Kysely<unknown>) {
    const added = columns.map((name) => `add column ${name} bigint not null default 0`).join(', ');
    for (const table of ['usage_records', 'usage_hours', 'usage_days']) {
      await sql`alter table ${sql.table(table)} ${sql.raw(added)}`.execute(database);
    }
  },
};

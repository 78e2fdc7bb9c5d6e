import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';
import { addUsageCount } from './add-usage-count.ts';

/** Audio and images that a vendor reads from its cache have prices of their own. */
export const cachedMedia: Migration = {
  async up(database: Kysely<unknown>) {
    await addUsageCount(database, 'audio_cache_read_tokens', 'image_cache_read_tokens');
  },
};

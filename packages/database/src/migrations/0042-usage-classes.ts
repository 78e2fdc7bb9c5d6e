import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';
import { addUsageCount } from './add-usage-count.ts';

/** Classes of tokens and uses of tools that vendors bill apart. */
export const usageClasses: Migration = {
  async up(database: Kysely<unknown>) {
    await addUsageCount(
      database,
      'cache_write_30m_tokens',
      'cache_write_1h_tokens',
      'cache_write_12h_tokens',
      'compaction_in_tokens',
      'compaction_out_tokens',
      'tool_prompt_tokens',
      'advisor_in_tokens',
      'advisor_out_tokens',
      'image_tool_in_tokens',
      'image_tool_out_tokens',
      'web_searches',
      'web_fetches',
      'code_sessions',
      'file_searches',
      'grounding_searches',
      'grounding_maps',
      'grounding_images',
    );
  },
};

import type { Database } from '@switchyard/database';

const dayMs = 86_400_000;
const models = [
  { model: 'mistral-large-latest', provider: 'mistral', requests: 43, each: '1.5' },
  { model: 'llama-3.3-70b-versatile', provider: 'groq', requests: 20, each: '0.35' },
];

/** Inserts thirty days of usage of two models, with a growing cost. */
export async function addUsageRows({ kysely }: Database): Promise<void> {
  const midnight = Math.floor(Date.now() / dayMs) * dayMs;
  const none = { failed: 0, unpriced: 0, cache_read_tokens: 0, cache_write_tokens: 0, reasoning_tokens: 0 };
  const rows = models.flatMap(({ model, provider, requests, each }) =>
    Array.from({ length: 30 }, (_, ago) => ({
      account_id: 'default',
      key_id: 'key_of_use',
      model,
      provider,
      own_key: false,
      requests,
      at: new Date(midnight - ago * dayMs),
      cached: ago % 5 === 0 ? 22 : 0,
      input_tokens: requests * 1_200,
      output_tokens: requests * 300,
      image_in_tokens: 0,
      image_out_tokens: 0,
      ...none,
      images: 0,
      duration_ms: 1_000,
      cost: String(Number(each) * (2 - (ago % 7) / 6 - ago / 58)),
    })),
  );
  await kysely.withTables<{ usage_days: Record<string, unknown> }>().insertInto('usage_days').values(rows).execute();
}

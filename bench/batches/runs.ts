import { setTimeout as pause } from 'node:timers/promises';
import OpenAI, { toFile } from 'openai';

/** A batch of many equal chats. */
export interface BatchRun {
  /** Resolves once so many lines have been answered. */
  reached(lines: number): Promise<void>;
  /** Resolves with how many lines it answered, and how long that took. */
  ended(): Promise<{ completed: number; seconds: number }>;
  cancel(): Promise<void>;
}

interface Lines {
  baseUrl: string;
  apiKey: string;
  model: string;
  prompt: string;
  count: number;
}

const everyMs = 100;

export async function startBatch({ baseUrl, apiKey, model, prompt, count }: Lines): Promise<BatchRun> {
  const client = new OpenAI({ baseURL: `${baseUrl}/v1`, apiKey, maxRetries: 2 });
  const body = { model, messages: [{ role: 'user', content: prompt }], temperature: 0.7 };
  const line = (at: number) => ({ custom_id: `line-${at}`, method: 'POST', url: '/v1/chat/completions', body });
  const lines = Array.from({ length: count }, (_, at) => JSON.stringify(line(at)));
  const input = await client.files.create({
    file: await toFile(Buffer.from(lines.join('\n')), 'lines.jsonl'),
    purpose: 'batch',
  });
  const { id } = await client.batches.create({
    input_file_id: input.id,
    endpoint: '/v1/chat/completions',
    completion_window: '24h',
  });
  let startedAt = 0;

  async function until(isReached: (batch: OpenAI.Batch) => boolean): Promise<OpenAI.Batch> {
    for (;;) {
      const batch = await client.batches.retrieve(id);
      if (batch.status === 'in_progress' && startedAt === 0) startedAt = performance.now();
      if (isReached(batch)) return batch;
      await pause(everyMs);
    }
  }

  return {
    reached: async (lines) => void (await until(({ request_counts: counts }) => (counts?.completed ?? 0) >= lines)),
    async ended() {
      const { request_counts: counts } = await until(({ status }) => !['validating', 'in_progress'].includes(status));
      return { completed: counts?.completed ?? 0, seconds: (performance.now() - startedAt) / 1_000 };
    },
    async cancel() {
      await client.batches.cancel(id);
      await until(({ status }) => status === 'cancelled');
    },
  };
}

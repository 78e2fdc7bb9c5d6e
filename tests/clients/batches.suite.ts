import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import Anthropic from '@anthropic-ai/sdk';
import OpenAI, { toFile } from 'openai';
import { expect, test } from 'vitest';
import { waitUntil } from '../support/probe.ts';
import type { Rig } from './rig.ts';

const root = new URL('../../', import.meta.url);
const deadlineMs = 30_000;

/** Tests the batches of the SDKs of OpenAI and Anthropic, through the whole gateway. */
export function batchesSuite(rig: () => Rig): void {
  const openai = () =>
    new OpenAI({ baseURL: `${rig().gateway.baseUrl}/v1`, apiKey: rig().gateway.apiKey, maxRetries: 0 });
  const anthropic = (base = '') =>
    new Anthropic({ baseURL: rig().gateway.baseUrl + base, apiKey: rig().gateway.apiKey, maxRetries: 0 });

  const lineOf = (id: string, url: string, body: object) =>
    JSON.stringify({ custom_id: id, method: 'POST', url, body });

  async function runBatch(endpoint: OpenAI.BatchCreateParams['endpoint'], bodies: Record<string, object>) {
    const lines = Object.entries(bodies).map(([id, body]) => lineOf(id, endpoint, body));
    const file = await openai().files.create({
      file: await toFile(Buffer.from(lines.join('\n')), 'in.jsonl'),
      purpose: 'batch',
    });
    const created = await openai().batches.create({
      input_file_id: file.id,
      endpoint,
      completion_window: '24h',
      metadata: { test: 'yes' },
    });
    let batch = created;
    const look = async () => (batch = await openai().batches.retrieve(created.id)).status === 'completed';
    await waitUntil('the batch to end', look, { deadlineMs });
    return batch;
  }

  const linesOf = async (id: string) => {
    const text = await (await openai().files.content(id)).text();
    return text.trimEnd().split('\n').map((line) => JSON.parse(line)); // prettier-ignore
  };

  const messages = [{ role: 'user' as const, content: 'Hello' }];

  test('the SDK of OpenAI runs a batch of chats at several vendors', async () => {
    const batch = await runBatch('/v1/chat/completions', {
      one: { model: 'openai/gpt-6-luna', messages },
      two: { model: 'claude-sonnet-5-5', messages },
      wrong: { model: 'nothing', messages },
    });
    expect(batch).toMatchObject({
      object: 'batch',
      metadata: { test: 'yes' },
      request_counts: { total: 3, completed: 2, failed: 1 },
    });
    expect(batch.usage?.total_tokens).toBeGreaterThan(0);
    const output = await linesOf(batch.output_file_id ?? '');
    expect(output.map(({ custom_id: id, response }) => [id, response.status_code, response.body.object])).toEqual([
      ['one', 200, 'chat.completion'],
      ['two', 200, 'chat.completion'],
    ]);
    const [error] = await linesOf(batch.error_file_id ?? '');
    expect(error).toMatchObject({
      custom_id: 'wrong',
      response: { status_code: 404, body: { error: { code: 'model_not_found' } } },
    });
    const listed: string[] = [];
    for await (const { id } of openai().batches.list({ limit: 1 })) listed.push(id);
    expect(listed).toContain(batch.id);
  });

  test('the SDK of OpenAI runs a batch of responses, and one of embeddings', async () => {
    const responses = await runBatch('/v1/responses', {
      a: { model: 'openai/gpt-6-luna', input: 'Hello', store: false },
    });
    expect((await linesOf(responses.output_file_id ?? ''))[0].response.body).toMatchObject({ object: 'response' });
    const embeddings = await runBatch('/v1/embeddings', {
      a: { model: 'openai/text-embedding-3-small', input: 'Hello' },
    });
    expect((await linesOf(embeddings.output_file_id ?? ''))[0].response.body).toMatchObject({ object: 'list' });
  });

  test('an error of the SDK of OpenAI says what is wrong', async () => {
    const wrong = { input_file_id: 'file-0', endpoint: '/v1/chat/completions', completion_window: '24h' } as const;
    await expect(openai().batches.create(wrong)).rejects.toMatchObject({ status: 404, code: 'not_found' });
    await expect(openai().batches.cancel('batch_0')).rejects.toMatchObject({ status: 404 });
  });

  test.each(['', '/anthropic'])('the SDK of Anthropic runs a batch (%j)', async (base) => {
    const { batches } = anthropic(base).messages;
    const params = { model: 'claude-sonnet-5-5', max_tokens: 20, messages };
    const created = await batches.create({
      requests: [
        { custom_id: 'one', params },
        { custom_id: 'wrong', params: { ...params, model: 'nothing' } },
      ],
    });
    let batch = created;
    const look = async () => (batch = await batches.retrieve(created.id)).processing_status === 'ended';
    await waitUntil('the batch to end', look, { deadlineMs });
    expect(batch.request_counts).toEqual({ processing: 0, succeeded: 1, errored: 1, canceled: 0, expired: 0 });
    const results = new Map<string, Anthropic.Messages.MessageBatchResult>();
    for await (const { custom_id: id, result } of await batches.results(batch.id)) results.set(id, result);
    expect(results.get('one')).toMatchObject({ type: 'succeeded', message: { type: 'message', role: 'assistant' } });
    expect(results.get('wrong')).toMatchObject({
      type: 'errored',
      error: { type: 'error', error: { type: 'not_found_error' } },
    });
    expect((await batches.list({ limit: 1 })).data[0]?.id).toBe(batch.id);
    expect(await batches.delete(batch.id)).toEqual({ id: batch.id, type: 'message_batch_deleted' });
    await expect(batches.retrieve(batch.id)).rejects.toBeInstanceOf(Anthropic.NotFoundError);
  });

  test('the example of the documents runs', async () => {
    const [, code = ''] = /```js\n([\s\S]*?)```/.exec(readFileSync(new URL('docs/batches.md', root), 'utf8')) ?? [];
    const { gateway } = rig();
    const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', code], {
      cwd: root,
      env: { OPENAI_BASE_URL: `${gateway.baseUrl}/v1`, OPENAI_API_KEY: gateway.apiKey },
    });
    const ids = stdout.trim().split('\n').map((line) => JSON.parse(line).custom_id); // prettier-ignore
    expect(ids.toSorted()).toEqual(['palm', 'sand']);
  });
}

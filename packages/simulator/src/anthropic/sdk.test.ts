import Anthropic from '@anthropic-ai/sdk';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startSimulator, type Simulator } from '../index.ts';

let simulator: Simulator;

beforeAll(async () => {
  simulator = await startSimulator({ chunksPerSecond: 0, apiKeys: ['sim-key'] });
});
afterAll(() => simulator.close());

const client = (apiKey = 'sim-key') =>
  new Anthropic({
    baseURL: simulator.baseUrl('anthropic'),
    apiKey,
    maxRetries: 0,
    // The SDK uses a newer API version; the simulator implements this one.
    defaultHeaders: { 'anthropic-version': '2023-06-01' },
  });

const asking = (content: string) => ({
  model: 'claude-sonnet-4-6',
  max_tokens: 2000,
  messages: [{ role: 'user' as const, content }],
});

const tools = [
  { name: 'one', input_schema: { type: 'object' as const, properties: { q: { type: 'string' } }, required: ['q'] } },
  { name: 'two', input_schema: { type: 'object' as const } },
];

describe('the Anthropic SDK', () => {
  test.each<[string, object]>([
    ['Hello', {}],
    ['in parallel', { tools }],
    ['[no-arguments]', { tools }],
    ['Think', { thinking: { type: 'enabled', budget_tokens: 1024 } }],
    ['[citations]', {}],
  ])('reads the same from a stream as from a whole answer: %s', async (content, members) => {
    const body = { ...asking(content), ...members };
    const whole = await client().messages.create(body);
    const streamed = await client().messages.stream(body).finalMessage();
    expect({ content: streamed.content, stop: streamed.stop_reason, usage: streamed.usage }).toEqual({
      content: whole.content,
      stop: whole.stop_reason,
      usage: whole.usage,
    });
  });

  test('throws its own error classes, also in the middle of a stream', async () => {
    await expect(client('nobody').messages.create(asking('Hi'))).rejects.toBeInstanceOf(Anthropic.AuthenticationError);
    await expect(client().messages.create({ ...asking('Hi'), model: 'nobody' })).rejects.toBeInstanceOf(
      Anthropic.NotFoundError,
    );
    const headers = { 'x-sim-fault': 'error-mid-stream:4' };
    await expect(client().messages.stream(asking('Hi'), { headers }).finalMessage()).rejects.toThrow('Overloaded');
  });
});

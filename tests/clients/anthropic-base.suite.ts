import Anthropic from '@anthropic-ai/sdk';
import { expect, test } from 'vitest';
import type { Rig } from './rig.ts';

/** Tests the Anthropic SDK with the address that other gateways give it. */
export function anthropicBaseSuite(rig: () => Rig): void {
  const client = () =>
    new Anthropic({ baseURL: `${rig().gateway.baseUrl}/anthropic`, apiKey: rig().gateway.apiKey, maxRetries: 0 });
  const model = 'anthropic/claude-haiku-4-5';
  const messages = [{ role: 'user' as const, content: 'Hello' }];

  test('sends messages, counts tokens and lists models below /anthropic', async () => {
    const answer = await client().messages.create({ model, max_tokens: 100, messages });
    expect(answer).toMatchObject({ type: 'message', model });
    expect((await client().messages.countTokens({ model, messages })).input_tokens).toBeGreaterThan(0);
    expect((await client().models.list()).data.length).toBeGreaterThan(10);
  });
}

import OpenAI from 'openai';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { families } from './families.ts';
import { type Rig, startRig, weatherSchema } from './rig.ts';

/** Vendors that refuse tool calls without what they signed them with, and clients that keep only what OpenAI knows. */
let running: Rig;
beforeAll(async () => {
  running = await startRig();
});
afterAll(() => running.stop());

const signing = families.filter(({ model }) => model.startsWith('gemini-3'));
const tools: OpenAI.ChatCompletionTool[] = [
  { type: 'function', function: { name: 'weather', parameters: { ...weatherSchema } } },
];
const skipValue = 'skip_thought_signature_validator';

const signatureIn = (body = ''): string | undefined => /"thoughtSignature":"([^"]+)"/.exec(body)?.[1];

test.each([
  ['in one piece', false],
  ['streamed', true],
])('a signature comes back with its call, %s', async (_name, stream) => {
  const { gateway, simulator } = running;
  const chats = new OpenAI({ baseURL: `${gateway.baseUrl}/v1`, apiKey: gateway.apiKey, maxRetries: 0 }).chat
    .completions;
  expect(signing.length).toBeGreaterThan(0);
  for (const { name: model } of signing) {
    const question = { role: 'user' as const, content: `Weather, ${stream ? 'streamed' : 'whole'}?` };
    const asked = { model, messages: [question], tools };
    const answer = stream ? await chats.stream(asked).finalChatCompletion() : await chats.create(asked);
    const [call] = answer.choices[0]?.message.tool_calls ?? [];
    if (call?.type !== 'function') throw new Error('No function was called.');
    const { id, function: called } = call;
    const bare = { id, type: 'function' as const, function: { name: called.name, arguments: called.arguments } };
    const ask = (toolCall: typeof bare) =>
      chats.create({
        ...asked,
        messages: [
          question,
          { role: 'assistant', content: null, tool_calls: [toolCall] },
          { role: 'tool', tool_call_id: toolCall.id, content: 'Rain.' },
        ],
      });
    expect((await ask(bare)).choices[0]?.message.content).toContain('Rain.');
    const kept = signatureIn(simulator.requests.at(-1)?.body);
    expect(kept).toMatch(/^.{8,}$/);
    expect(kept).not.toBe(skipValue);
    // Nobody knows this call: the vendor's own way out is taken, and the answer comes all the same.
    expect((await ask({ ...bare, id: 'call_nobody_knows' })).choices[0]?.message.content).toContain('Rain.');
    expect(signatureIn(simulator.requests.at(-1)?.body)).toBe(skipValue);
  }
});

import OpenAI from 'openai';
import { expect, test } from 'vitest';
import { families } from './families.ts';
import { type Rig, weatherSchema } from './rig.ts';

/** Vendors that refuse tool calls without their signature, with clients that keep only OpenAI's members. */
export function signaturesSuite(rig: () => Rig): void {
  const signing = families.filter(({ model }) => model.startsWith('gemini-3'));
  const tools: OpenAI.ChatCompletionTool[] = [
    { type: 'function', function: { name: 'weather', parameters: { ...weatherSchema } } },
  ];
  const skipValue = 'skip_thought_signature_validator';

  const signatureIn = (body = ''): string | undefined => /"thoughtSignature":"([^"]+)"/.exec(body)?.[1];

  test.each([
    ['in one piece', false],
    ['streamed', true],
  ])('restores the signature of a tool call, %s', async (_name, stream) => {
    const { gateway, simulator } = rig();
    const chats = new OpenAI({ baseURL: `${gateway.baseUrl}/v1`, apiKey: gateway.apiKey, maxRetries: 0 }).chat
      .completions;
    expect(signing.length).toBeGreaterThan(0);
    for (const { name: model } of signing) {
      const question = { role: 'user' as const, content: `Weather, ${stream ? 'streamed' : 'whole'}?` };
      const firstRequest = { model, messages: [question], tools };
      const answer = stream ? await chats.stream(firstRequest).finalChatCompletion() : await chats.create(firstRequest);
      const [call] = answer.choices[0]?.message.tool_calls ?? [];
      if (call?.type !== 'function') throw new Error('No function was called.');
      const { id, function: called } = call;
      const bare = { id, type: 'function' as const, function: { name: called.name, arguments: called.arguments } };
      const ask = (toolCall: typeof bare) =>
        chats.create({
          ...firstRequest,
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
      // For an unknown call the gateway sends the vendor's skip value, and the vendor still answers.
      expect((await ask({ ...bare, id: 'call_unknown' })).choices[0]?.message.content).toContain('Rain.');
      expect(signatureIn(simulator.requests.at(-1)?.body)).toBe(skipValue);
    }
  });
}

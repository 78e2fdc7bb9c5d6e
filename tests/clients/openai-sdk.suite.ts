import OpenAI from 'openai';
import { describe, expect, test } from 'vitest';
import { type Ability, can } from './families.ts';
import { type Place, pixelUrl, weatherSchema } from './rig.ts';

type Messages = OpenAI.ChatCompletionMessageParam[];

const userMessage = (content: string): Messages => [{ role: 'user', content }];
const tool = (name: string): OpenAI.ChatCompletionTool => ({
  type: 'function',
  function: { name, description: `Returns the ${name}.`, parameters: { ...weatherSchema } },
});

/** Tests the OpenAI Node SDK against one family. */
export function openAiSdkSuite({ family, rig }: Place): void {
  const { name: model, provider } = family;
  const able = (...abilities: Ability[]): boolean => can(family, ...abilities);
  const chats = () => {
    const { baseUrl, apiKey } = rig().gateway;
    return new OpenAI({ baseURL: `${baseUrl}/v1`, apiKey, maxRetries: 0 }).chat.completions;
  };
  /** Sends a request plain, and streamed and assembled by the SDK. The results differ only in ids and times. */
  const both = async (body: Omit<OpenAI.ChatCompletionCreateParams, 'model' | 'stream'>) => {
    const plain = await chats().create({ ...body, model });
    const streamed = await chats()
      .stream({ ...body, model, stream_options: { include_usage: true } })
      .finalChatCompletion();
    const [choice] = plain.choices;
    if (choice === undefined) throw new Error('The answer has no choice.');
    return { plain, streamed, choice };
  };

  describe('the OpenAI SDK', () => {
    test('returns text', async () => {
      const { plain, streamed, choice } = await both({ messages: userMessage('Hello') });
      expect(choice.message.content).toContain(`simulated answer from ${provider}`);
      expect(choice.finish_reason).toBe('stop');
      expect(plain.model).toBe(model);
      expect(plain).toMatchObject({ metadata: { used_provider: provider } });
      expect(streamed.choices[0]).toMatchObject({
        message: { content: choice.message.content },
        finish_reason: 'stop',
      });
      expect(streamed.usage).toEqual(plain.usage);
      expect(plain.usage?.total_tokens).toBe((plain.usage?.prompt_tokens ?? 0) + (plain.usage?.completion_tokens ?? 0));
    });

    test('reports an answer cut at its token limit', async () => {
      const { choice, streamed } = await both({ messages: userMessage('[words:400]'), max_tokens: 20 });
      expect([choice.finish_reason, streamed.choices[0]?.finish_reason]).toEqual(['length', 'length']);
    });

    test.runIf(able('stop'))('ends an answer before a stop word', async () => {
      const { choice, streamed } = await both({ messages: userMessage('Hello'), stop: ['simulated'] });
      expect(choice.message.content).toBe('This is a ');
      expect(streamed.choices[0]?.message.content?.trim()).toBe('This is a');
    });

    test.runIf(able('tools', 'tool results'))('calls a tool and uses its result', async () => {
      const tools = [tool('weather')];
      const { choice, streamed } = await both({ messages: userMessage('Weather?'), tools });
      const [call] = choice.message.tool_calls ?? [];
      if (call?.type !== 'function') throw new Error('No function was called.');
      expect(choice.finish_reason).toBe('tool_calls');
      expect(Object.keys(JSON.parse(call.function.arguments))).toEqual(['city', 'days']);
      expect(streamed.choices[0]?.message.tool_calls?.[0]).toMatchObject({
        type: 'function',
        function: { name: 'weather', arguments: expect.any(String) },
      });
      const messages: Messages = [
        ...userMessage('Weather?'),
        { role: 'assistant', content: null, tool_calls: [call] },
        { role: 'tool', tool_call_id: call.id, content: 'Rain in every city.' },
      ];
      const answer = await both({ messages, tools });
      expect(answer.choice.message.content).toContain('Rain in every city.');
      expect(answer.streamed.choices[0]?.message.content).toBe(answer.choice.message.content);
    });

    test.runIf(able('tools', 'tool results'))('calls two tools at once and uses both results', async () => {
      const tools = [tool('weather'), tool('time')];
      const { choice, streamed } = await both({ messages: userMessage('Both in parallel'), tools });
      const calls = choice.message.tool_calls ?? [];
      expect(calls.map((call) => call.type === 'function' && call.function.name)).toEqual(['weather', 'time']);
      expect(new Set(calls.map(({ id }) => id)).size).toBe(2);
      expect(streamed.choices[0]?.message.tool_calls).toHaveLength(2);
      const messages: Messages = [
        ...userMessage('Both in parallel'),
        { role: 'assistant', content: null, tool_calls: calls },
        ...calls.map(({ id }, at) => ({ role: 'tool' as const, tool_call_id: id, content: `Result ${at}.` })),
      ];
      const { choice: answer } = await both({ messages, tools });
      expect(answer.message.content).toMatch(/Result 0\..*Result 1\./);
    });

    test.runIf(able('tools'))('returns an empty object for a tool without arguments', async () => {
      const { choice } = await both({ messages: userMessage('[no-arguments]'), tools: [tool('now')] });
      const [call] = choice.message.tool_calls ?? [];
      expect(call?.type === 'function' && call.function.arguments).toBe('{}');
    });

    test.runIf(able('schema'))('returns JSON that follows a schema', async () => {
      const json_schema = { name: 'weather', schema: { ...weatherSchema }, strict: true };
      const { choice, streamed } = await both({
        messages: userMessage('Weather?'),
        response_format: { type: 'json_schema', json_schema },
      });
      expect(Object.keys(JSON.parse(choice.message.content ?? ''))).toEqual(['city', 'days']);
      expect(choice.finish_reason).toBe('stop');
      expect(JSON.parse(streamed.choices[0]?.message.content ?? '')).toEqual(JSON.parse(choice.message.content ?? ''));
    });

    test.runIf(able('images'))('accepts an image', async () => {
      const content: OpenAI.ChatCompletionContentPart[] = [
        { type: 'text', text: 'What is it?' },
        { type: 'image_url', image_url: { url: pixelUrl } },
      ];
      const { choice } = await both({ messages: [{ role: 'user', content }] });
      expect(choice.message.content).toContain('What is it?');
    });

    test('returns three choices', async () => {
      const { plain, streamed } = await both({ messages: userMessage('Hello'), n: 3 });
      expect(plain.choices.map(({ index }) => index)).toEqual([0, 1, 2]);
      expect(streamed.choices.map(({ message }) => message.content?.length)).toEqual(
        plain.choices.map(({ message }) => message.content?.length),
      );
    });

    test('accepts a conversation with instructions', async () => {
      const messages: Messages = [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: 'One' },
        { role: 'assistant', content: 'Two' },
        { role: 'user', content: 'Three' },
        { role: 'user', content: 'Four' },
      ];
      const { choice } = await both({ messages, temperature: 0.5 });
      expect(choice.message.content).toContain('Four');
    });
  });
}

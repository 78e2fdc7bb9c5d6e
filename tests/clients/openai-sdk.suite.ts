import OpenAI from 'openai';
import { describe, expect, test } from 'vitest';
import { type Ability, can } from './families.ts';
import { type Place, pixelUrl, weatherSchema } from './rig.ts';

type Messages = OpenAI.ChatCompletionMessageParam[];

const said = (content: string): Messages => [{ role: 'user', content }];
const tool = (name: string): OpenAI.ChatCompletionTool => ({
  type: 'function',
  function: { name, description: `Tells the ${name}.`, parameters: { ...weatherSchema } },
});

/** The OpenAI Node SDK against one family. */
export function openAiSdkSuite({ family, rig }: Place): void {
  const { name: model, provider } = family;
  const able = (...abilities: Ability[]): boolean => can(family, ...abilities);
  const chats = () => {
    const { baseUrl, apiKey } = rig().gateway;
    return new OpenAI({ baseURL: `${baseUrl}/v1`, apiKey, maxRetries: 0 }).chat.completions;
  };
  /** Plain, and streamed and put together by the SDK: the same but for ids and times. */
  const both = async (body: Omit<OpenAI.ChatCompletionCreateParams, 'model' | 'stream'>) => {
    const plain = await chats().create({ ...body, model });
    const streamed = await chats()
      .stream({ ...body, model, stream_options: { include_usage: true } })
      .finalChatCompletion();
    const [choice] = plain.choices;
    if (choice === undefined) throw new Error('No choice came.');
    return { plain, streamed, choice };
  };

  describe('the OpenAI SDK', () => {
    test('text', async () => {
      const { plain, streamed, choice } = await both({ messages: said('Hello') });
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

    test('an answer cut at its token limit says so', async () => {
      const { choice, streamed } = await both({ messages: said('[words:400]'), max_tokens: 20 });
      expect([choice.finish_reason, streamed.choices[0]?.finish_reason]).toEqual(['length', 'length']);
    });

    test.runIf(able('stop'))('an answer ends before a stop word', async () => {
      const { choice, streamed } = await both({ messages: said('Hello'), stop: ['simulated'] });
      expect(choice.message.content).toBe('This is a ');
      expect(streamed.choices[0]?.message.content?.trim()).toBe('This is a');
    });

    test.runIf(able('tools', 'tool results'))('a whole round of tools: called, answered, told', async () => {
      const tools = [tool('weather')];
      const { choice, streamed } = await both({ messages: said('Weather?'), tools });
      const [call] = choice.message.tool_calls ?? [];
      if (call?.type !== 'function') throw new Error('No function was called.');
      expect(choice.finish_reason).toBe('tool_calls');
      expect(Object.keys(JSON.parse(call.function.arguments))).toEqual(['city', 'days']);
      expect(streamed.choices[0]?.message.tool_calls?.[0]).toMatchObject({
        type: 'function',
        function: { name: 'weather', arguments: expect.any(String) },
      });
      const messages: Messages = [
        ...said('Weather?'),
        { role: 'assistant', content: null, tool_calls: [call] },
        { role: 'tool', tool_call_id: call.id, content: 'Rain in every city.' },
      ];
      const told = await both({ messages, tools });
      expect(told.choice.message.content).toContain('Rain in every city.');
      expect(told.streamed.choices[0]?.message.content).toBe(told.choice.message.content);
    });

    test.runIf(able('tools', 'tool results'))('two tools at once, both answered', async () => {
      const tools = [tool('weather'), tool('time')];
      const { choice, streamed } = await both({ messages: said('Both in parallel'), tools });
      const calls = choice.message.tool_calls ?? [];
      expect(calls.map((call) => call.type === 'function' && call.function.name)).toEqual(['weather', 'time']);
      expect(new Set(calls.map(({ id }) => id)).size).toBe(2);
      expect(streamed.choices[0]?.message.tool_calls).toHaveLength(2);
      const messages: Messages = [
        ...said('Both in parallel'),
        { role: 'assistant', content: null, tool_calls: calls },
        ...calls.map(({ id }, at) => ({ role: 'tool' as const, tool_call_id: id, content: `Result ${at}.` })),
      ];
      const { choice: told } = await both({ messages, tools });
      expect(told.message.content).toMatch(/Result 0\..*Result 1\./);
    });

    test.runIf(able('tools'))('a tool without arguments gets an empty object', async () => {
      const { choice } = await both({ messages: said('[no-arguments]'), tools: [tool('now')] });
      const [call] = choice.message.tool_calls ?? [];
      expect(call?.type === 'function' && call.function.arguments).toBe('{}');
    });

    test.runIf(able('schema'))('JSON that follows a schema', async () => {
      const json_schema = { name: 'weather', schema: { ...weatherSchema }, strict: true };
      const { choice, streamed } = await both({
        messages: said('Weather?'),
        response_format: { type: 'json_schema', json_schema },
      });
      expect(Object.keys(JSON.parse(choice.message.content ?? ''))).toEqual(['city', 'days']);
      expect(choice.finish_reason).toBe('stop');
      expect(JSON.parse(streamed.choices[0]?.message.content ?? '')).toEqual(JSON.parse(choice.message.content ?? ''));
    });

    test.runIf(able('images'))('an image', async () => {
      const content: OpenAI.ChatCompletionContentPart[] = [
        { type: 'text', text: 'What is it?' },
        { type: 'image_url', image_url: { url: pixelUrl } },
      ];
      const { choice } = await both({ messages: [{ role: 'user', content }] });
      expect(choice.message.content).toContain('What is it?');
    });

    test('three choices, however the vendor makes them', async () => {
      const { plain, streamed } = await both({ messages: said('Hello'), n: 3 });
      expect(plain.choices.map(({ index }) => index)).toEqual([0, 1, 2]);
      expect(streamed.choices.map(({ message }) => message.content?.length)).toEqual(
        plain.choices.map(({ message }) => message.content?.length),
      );
    });

    test('a long conversation with instructions', async () => {
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

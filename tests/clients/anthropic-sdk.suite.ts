import Anthropic from '@anthropic-ai/sdk';
import { betaTool } from '@anthropic-ai/sdk/helpers/beta/json-schema';
import { describe, expect, test } from 'vitest';
import { type Ability, can } from './families.ts';
import { pixel, type Place, weatherSchema } from './rig.ts';

type Turn = Anthropic.MessageParam;
type Body = Omit<Anthropic.MessageCreateParamsNonStreaming, 'model' | 'stream' | 'max_tokens'>;

const userTurn = (content: string): Turn => ({ role: 'user', content });
const tool = (name: string): Anthropic.Tool => ({
  name,
  description: `Returns the ${name}.`,
  input_schema: { ...weatherSchema, required: [...weatherSchema.required] },
});
const textOf = ({ content }: Anthropic.Message): string =>
  content.map((block) => (block.type === 'text' ? block.text : '')).join('');
const callsOf = ({ content }: Anthropic.Message): Anthropic.ToolUseBlock[] =>
  content.filter((block) => block.type === 'tool_use');

/** Tests the Anthropic SDK against one family, through `/v1/messages`. */
export function anthropicSdkSuite({ family, rig }: Place): void {
  const { name: model, provider } = family;
  const able = (...abilities: Ability[]): boolean => can(family, ...abilities);
  const client = (apiKey = rig().gateway.apiKey) =>
    new Anthropic({ baseURL: rig().gateway.baseUrl, apiKey, maxRetries: 0 });
  /** Sends a request plain, and streamed and assembled by the SDK. */
  const both = async (body: Body, max_tokens = 500) => {
    const { messages } = client();
    const plain = await messages.create({ ...body, model, max_tokens });
    const streamed = await messages.stream({ ...body, model, max_tokens }).finalMessage();
    return { plain, streamed };
  };

  describe('the Anthropic SDK', () => {
    test('returns text', async () => {
      const { plain, streamed } = await both({ system: 'Be brief.', messages: [userTurn('Hello')] });
      expect(plain).toMatchObject({ type: 'message', role: 'assistant', model, stop_reason: 'end_turn' });
      expect((plain as { _request_id?: string })._request_id).toMatch(/^req_/);
      expect(textOf(plain)).toContain(`simulated answer from ${provider}`);
      expect(textOf(streamed)).toBe(textOf(plain));
      expect(streamed.usage.output_tokens).toBe(plain.usage.output_tokens);
    });

    test('reports an answer cut at its token limit', async () => {
      const { plain, streamed } = await both({ messages: [userTurn('[words:400]')] }, 20);
      expect([plain.stop_reason, streamed.stop_reason]).toEqual(['max_tokens', 'max_tokens']);
    });

    test.runIf(able('tools', 'tool results'))('calls two tools at once and uses both results', async () => {
      const tools = [tool('weather'), tool('time')];
      const question = userTurn('Both in parallel');
      const { plain, streamed } = await both({ messages: [question], tools });
      expect([plain.stop_reason, streamed.stop_reason]).toEqual(['tool_use', 'tool_use']);
      const calls = callsOf(streamed);
      expect(calls.map(({ name }) => name)).toEqual(['weather', 'time']);
      expect(calls.map(({ input }) => input)).toEqual(callsOf(plain).map(({ input }) => input));
      const results = calls.map(({ id }, at) => ({
        type: 'tool_result' as const,
        tool_use_id: id,
        content: `Result ${at}.`,
      }));
      const messages: Turn[] = [
        question,
        { role: 'assistant', content: streamed.content },
        { role: 'user', content: results },
      ];
      const answer = await both({ messages, tools });
      expect(textOf(answer.plain)).toMatch(/Result 0\..*Result 1\./);
      expect(textOf(answer.streamed)).toBe(textOf(answer.plain));
    });

    test.runIf(able('tools', 'tool results'))('runs tools until the answer, in a thread that it restarts', async () => {
      const asked: unknown[] = [];
      const weather = betaTool({
        name: 'weather',
        description: 'Returns the weather.',
        inputSchema: weatherSchema,
        run(input) {
          asked.push(input);
          return 'It rains.';
        },
      });
      const body = { model, max_tokens: 500, messages: [userTurn('Weather in Rome?')], tools: [weather] };
      const plain = await client().beta.messages.toolRunner(body).runUntilDone();
      const streamed = await client()
        .beta.messages.toolRunner({ ...body, stream: true })
        .runUntilDone();
      for (const { content, stop_reason } of [plain, streamed]) {
        expect(stop_reason).toBe('end_turn');
        expect(JSON.stringify(content)).toContain('It rains.');
      }
      expect(asked).toHaveLength(2);
    });

    test('continues a conversation in a thread', async () => {
      const thread = client().beta.messages.thread({ model, max_tokens: 500 });
      for (const text of ['One.', 'Two.', 'Three.']) {
        const { content } = await thread.send({ role: 'user', content: text });
        expect(JSON.stringify(content)).toContain(text);
      }
      expect(thread.messages.map(({ role }) => role)).toEqual(Array(3).fill(['user', 'assistant']).flat());
    });

    test.runIf(able('images'))('accepts an image', async () => {
      const image: Anthropic.ImageBlockParam = {
        type: 'image',
        source: { type: 'base64', media_type: 'image/png', data: pixel },
      };
      const { plain } = await both({
        messages: [{ role: 'user', content: [{ type: 'text', text: 'What is it?' }, image] }],
      });
      expect(textOf(plain)).toContain('What is it?');
    });

    test('accepts marks for the prompt cache', async () => {
      const marked = { type: 'text' as const, text: 'Be brief.', cache_control: { type: 'ephemeral' as const } };
      const { plain } = await both({
        system: [marked],
        messages: [{ role: 'user', content: [{ ...marked, text: 'Hello' }] }],
      });
      expect(textOf(plain)).toContain('simulated answer');
    });

    test('counts tokens', async () => {
      const counted = await client().messages.countTokens({ model, messages: [userTurn('Hello there, you.')] });
      expect(counted).toEqual({ input_tokens: 5 });
    });

    test('lists the models page by page, and returns one', async () => {
      const ids: string[] = [];
      for await (const { id } of client().models.list({ limit: 50 })) ids.push(id);
      const found = await client().models.retrieve(family.model);
      expect(found).toMatchObject({ type: 'model', id: family.model, display_name: expect.any(String) });
      expect(ids).toContain(family.model);
      expect(new Set(ids).size).toBe(ids.length);
    });

    test('raises the errors of this API', async () => {
      const body = { max_tokens: 10, messages: [userTurn('Hello')] };
      const failures = [
        client('sk-tp-none').messages.create({ ...body, model }),
        client().messages.create({ ...body, model: 'no-such-model' }),
        client().messages.create({ ...body, model, container: 'c' } as never),
      ];
      const errors = await Promise.all(failures.map((failure) => failure.catch((error: unknown) => error)));
      expect(errors[0]).toBeInstanceOf(Anthropic.AuthenticationError);
      expect(errors[1]).toBeInstanceOf(Anthropic.NotFoundError);
      expect(errors[2]).toBeInstanceOf(Anthropic.BadRequestError);
      expect(errors[2]).toMatchObject({ message: expect.stringContaining('container') });
    });
  });
}

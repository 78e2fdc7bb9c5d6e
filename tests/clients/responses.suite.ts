import OpenAI from 'openai';
import { describe, expect, test } from 'vitest';
import { type Ability, can } from './families.ts';
import { type Place, pixelUrl, weatherSchema } from './rig.ts';

type Body = Omit<OpenAI.Responses.ResponseCreateParamsNonStreaming, 'model' | 'stream'>;
type Items = OpenAI.Responses.ResponseInput;

const tool = (name: string): OpenAI.Responses.FunctionTool => ({
  type: 'function',
  name,
  description: `Returns the ${name}.`,
  parameters: { ...weatherSchema },
  strict: false,
});
const callsOf = ({ output }: OpenAI.Responses.Response) => output.filter((item) => item.type === 'function_call');

/** Tests the OpenAI SDK's Responses API against one family. */
export function responsesSuite({ family, rig }: Place): void {
  const { name: model, provider } = family;
  const able = (...abilities: Ability[]): boolean => can(family, ...abilities);
  const responses = (apiKey = rig().gateway.apiKey) =>
    new OpenAI({ baseURL: `${rig().gateway.baseUrl}/v1`, apiKey, maxRetries: 0 }).responses;
  /** Sends a request plain, and streamed and assembled by the SDK. */
  const both = async (body: Body) => {
    const plain = await responses().create({ ...body, model });
    const streamed = await responses()
      .stream({ ...body, model })
      .finalResponse();
    return { plain, streamed };
  };

  describe('the Responses API', () => {
    test('returns text', async () => {
      const { plain, streamed } = await both({ instructions: 'Be brief.', input: 'Hello' });
      expect(plain).toMatchObject({ object: 'response', model, status: 'completed' });
      expect(plain.output_text).toContain(`simulated answer from ${provider}`);
      expect(streamed.output_text).toBe(plain.output_text);
      expect(streamed.usage).toEqual(plain.usage);
    });

    test('reports a response cut at its token limit', async () => {
      const { plain, streamed } = await both({ input: '[words:400]', max_output_tokens: 20 });
      const incomplete = { status: 'incomplete', incomplete_details: { reason: 'max_output_tokens' } };
      expect([plain, streamed]).toMatchObject([incomplete, incomplete]);
    });

    test.runIf(able('tools', 'tool results'))('calls two tools at once and uses both results', async () => {
      const tools = [tool('weather'), tool('time')];
      const question = { role: 'user' as const, content: 'Both in parallel' };
      const { plain, streamed } = await both({ input: [question], tools });
      const calls = callsOf(streamed);
      expect(calls.map(({ name }) => name)).toEqual(['weather', 'time']);
      expect(calls.map((call) => call.arguments)).toEqual(callsOf(plain).map((call) => call.arguments));
      const results: Items = calls.map(({ call_id }, at) => ({
        type: 'function_call_output',
        call_id,
        output: `Result ${at}.`,
      }));
      const answer = await both({ input: [question, ...(streamed.output as Items), ...results], tools });
      expect(answer.plain.output_text).toMatch(/Result 0\..*Result 1\./);
      expect(answer.streamed.output_text).toBe(answer.plain.output_text);
      const continued = await responses().create({ model, input: results, tools, previous_response_id: streamed.id });
      expect(continued.output_text).toBe(answer.plain.output_text);
    });

    test.runIf(able('schema'))('returns JSON that follows a schema', async () => {
      const format = { type: 'json_schema' as const, name: 'weather', schema: { ...weatherSchema }, strict: true };
      const { plain, streamed } = await both({ input: 'Weather?', text: { format } });
      expect(Object.keys(JSON.parse(plain.output_text))).toEqual(['city', 'days']);
      expect(streamed.output_text).toBe(plain.output_text);
    });

    test.runIf(able('images'))('accepts an image', async () => {
      const content = [
        { type: 'input_text' as const, text: 'What is it?' },
        { type: 'input_image' as const, image_url: pixelUrl, detail: 'auto' as const },
      ];
      const { plain } = await both({ input: [{ role: 'user', content }] });
      expect(plain.output_text).toContain('What is it?');
    });

    test('raises errors', async () => {
      const failures = [
        responses('sk-tp-none').create({ model, input: 'Hello' }),
        responses().create({ model: 'no-such-model', input: 'Hello' }),
        responses().create({ model, input: 'Hello', prompt: { id: 'pmpt_1' } }),
      ];
      const errors = await Promise.all(failures.map((failure) => failure.catch((error: unknown) => error)));
      expect(errors).toMatchObject([
        { status: 401, code: 'invalid_api_key' },
        { status: 404, code: 'model_not_found' },
        { status: 400, param: 'prompt' },
      ]);
    });
  });
}

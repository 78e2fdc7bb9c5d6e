import {
  ApiError,
  FunctionCallingConfigMode,
  type Content,
  type FunctionDeclaration,
  type GenerateContentParameters,
  type GenerateContentResponse,
  GoogleGenAI,
  type Part,
} from '@google/genai';
import { describe, expect, test } from 'vitest';
import { type Ability, can } from './families.ts';
import { pixel, type Place, weatherSchema } from './rig.ts';

type Body = Omit<GenerateContentParameters, 'model'>;

const tool = (name: string): FunctionDeclaration => ({
  name,
  description: `Returns the ${name}.`,
  parametersJsonSchema: weatherSchema,
});
const partsOf = ({ candidates }: GenerateContentResponse): Part[] => candidates?.[0]?.content?.parts ?? [];
const textOf = (parts: readonly Part[]): string => parts.map(({ text = '' }) => text).join('');
const callsIn = (parts: readonly Part[]) => parts.flatMap(({ functionCall }) => functionCall ?? []);

/** Tests the Google Gen AI SDK against one family, through `/v1beta/models`. */
export function googleGenAiSuite({ family, rig }: Place): void {
  const { name: model, provider } = family;
  const able = (...abilities: Ability[]): boolean => can(family, ...abilities);
  const client = (apiKey = rig().gateway.apiKey) =>
    new GoogleGenAI({ apiKey, vertexai: false, httpOptions: { baseUrl: rig().gateway.baseUrl } }).models;
  /** Sends a request plain and streamed; the parts of all pieces, and the last piece. */
  const both = async (body: Body) => {
    const plain = await client().generateContent({ ...body, model });
    const pieces: GenerateContentResponse[] = [];
    for await (const piece of await client().generateContentStream({ ...body, model })) pieces.push(piece);
    return { plain, parts: pieces.flatMap(partsOf), last: pieces.at(-1) };
  };

  describe('the Google Gen AI SDK', () => {
    test('returns text', async () => {
      const { plain, parts, last } = await both({ contents: 'Hello', config: { systemInstruction: 'Be brief.' } });
      expect(plain).toMatchObject({ modelVersion: model, candidates: [{ index: 0, finishReason: 'STOP' }] });
      expect(plain.text).toContain(`simulated answer from ${provider}`);
      expect(textOf(parts)).toBe(plain.text);
      expect(last?.candidates?.[0]?.finishReason).toBe('STOP');
      expect(last?.usageMetadata).toEqual(plain.usageMetadata);
    });

    test('reports an answer cut at its token limit', async () => {
      const { plain, last } = await both({ contents: '[words:400]', config: { maxOutputTokens: 20 } });
      const reasons = [plain, last].map((answer) => answer?.candidates?.[0]?.finishReason);
      expect(reasons).toEqual(['MAX_TOKENS', 'MAX_TOKENS']);
    });

    test.runIf(able('tools', 'tool results'))('calls two functions at once and uses both responses', async () => {
      const config = {
        tools: [{ functionDeclarations: [tool('weather'), tool('time')] }],
        toolConfig: { functionCallingConfig: { mode: FunctionCallingConfigMode.AUTO } },
      };
      const question: Content = { role: 'user', parts: [{ text: 'Both in parallel' }] };
      const { plain, parts } = await both({ contents: [question], config });
      expect(callsIn(parts).map(({ name }) => name)).toEqual(['weather', 'time']);
      expect(callsIn(parts).map(({ args }) => args)).toEqual(plain.functionCalls?.map(({ args }) => args));
      const responses = callsIn(parts).map(({ id, name }, at) => ({
        functionResponse: { id, name, response: { output: `Result ${at}.` } },
      }));
      const contents: Content[] = [question, { role: 'model', parts }, { role: 'user', parts: responses }];
      const answer = await both({ contents, config });
      expect(answer.plain.text).toMatch(/Result 0\..*Result 1\./);
      expect(textOf(answer.parts)).toBe(answer.plain.text);
    });

    test.runIf(able('images'))('accepts an image', async () => {
      const parts = [{ text: 'What is it?' }, { inlineData: { mimeType: 'image/png', data: pixel } }];
      const { plain } = await both({ contents: [{ role: 'user', parts }] });
      expect(plain.text).toContain('What is it?');
    });

    test('counts tokens', async () => {
      const counted = await client().countTokens({ model, contents: 'Hello there, you.' });
      expect(counted.totalTokens).toBe(5);
    });

    test('lists the model and returns it', async () => {
      const names: (string | undefined)[] = [];
      for await (const listed of await client().list({ config: { pageSize: 100 } })) names.push(listed.name);
      const found = await client().get({ model: family.model });
      expect(found).toMatchObject({ name: `models/${family.model}`, supportedActions: expect.any(Array) });
      expect(names).toContain(found.name);
    });

    test('raises the errors of this API', async () => {
      const failures = [
        client('sk-tp-none').generateContent({ model, contents: 'Hello' }),
        client().generateContent({ model: 'no-such-model', contents: 'Hello' }),
        client().generateContent({ model, contents: 'Hello', config: { cachedContent: 'cachedContents/1' } }),
      ];
      const errors = await Promise.all(failures.map((failure) => failure.catch((error: unknown) => error)));
      for (const error of errors) expect(error).toBeInstanceOf(ApiError);
      expect(errors).toMatchObject([
        { status: 400, message: expect.stringContaining('API_KEY_INVALID') },
        { status: 404, message: expect.stringContaining('NOT_FOUND') },
        { status: 400, message: expect.stringContaining('cachedContent') },
      ]);
    });
  });
}

import { ApiError, GoogleGenAI, type GenerateContentParameters } from '@google/genai';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startSimulator, type Simulator } from '../index.ts';

let simulator: Simulator;

beforeAll(async () => {
  simulator = await startSimulator({ chunksPerSecond: 0, apiKeys: ['sim-key'] });
});
afterAll(() => simulator.close());

const client = (apiKey = 'sim-key') =>
  new GoogleGenAI({ apiKey, httpOptions: { baseUrl: simulator.baseUrl('google') } });

const asking = (contents: string): GenerateContentParameters => ({ model: 'gemini-3-pro', contents });

describe('Google’s SDK', () => {
  test('reads the same text from a stream as from a whole answer', async () => {
    const whole = await client().models.generateContent(asking('Hello'));
    let text = '';
    for await (const part of await client().models.generateContentStream(asking('Hello'))) text += part.text ?? '';
    expect([text, whole.usageMetadata?.promptTokenCount]).toEqual([whole.text, 2]);
  });

  test('reads calls', async () => {
    const parametersJsonSchema = { type: 'object', properties: { q: { type: 'string' } }, required: ['q'] };
    const config = { tools: [{ functionDeclarations: [{ name: 'one', parametersJsonSchema }] }] };
    const answer = await client().models.generateContent({ ...asking('What is q?'), config });
    expect(answer.functionCalls).toEqual([{ name: 'one', args: { q: 'simulated q' } }]);
  });

  test('throws errors', async () => {
    await expect(client('nobody').models.generateContent(asking('Hi'))).rejects.toBeInstanceOf(ApiError);
    await expect(client('nobody').models.generateContent(asking('Hi'))).rejects.toMatchObject({ status: 400 });
  });
});

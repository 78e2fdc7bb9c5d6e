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

describe('Google’s SDK with interactions', () => {
  const ask = { model: 'gemini-3-pro', input: 'Hello', store: false };

  test('reads the same text and usage from a stream as from a whole answer', async () => {
    const whole = await client().interactions.create({ ...ask, stream: false });
    let text = '';
    let usage: unknown;
    for await (const event of await client().interactions.create({ ...ask, stream: true })) {
      if (event.event_type === 'step.delta' && event.delta.type === 'text') text += event.delta.text;
      if (event.event_type === 'interaction.completed') ({ usage } = event.interaction);
    }
    expect(text).toBe(whole.output_text);
    // The SDK adds a count to whole answers.
    expect(whole.usage).toMatchObject(Object(usage));
  });

  test('goes on with the results of calls, whose thoughts are signed', async () => {
    const tools = [{ type: 'function' as const, name: 'one', parameters: { type: 'object' } }];
    const { steps, status } = await client().interactions.create({ ...ask, tools, stream: false });
    expect([status, steps.map(({ type }) => type)]).toEqual(['requires_action', ['thought', 'function_call']]);
    const [thought, call] = steps as unknown as [{ signature: string }, { id: string }];
    const result = { type: 'function_result' as const, call_id: call.id, name: 'one', result: 'It is one.' };
    const question = { type: 'user_input', content: [{ type: 'text', text: ask.input }] };
    const answer = (first: object) =>
      client().interactions.create({ ...ask, tools, input: [question, first, call, result] as never, stream: false });
    expect((await answer(thought)).output_text).toContain('It is one.');
    await expect(answer({ ...thought, signature: 'c2ln' })).rejects.toThrow('Corrupted thought signature');
    await expect(answer({ type: 'thought' })).rejects.toThrow('missing the thought');
  });

  test.each([
    [{ previous_interaction_id: 'v1_none' }, 'not found'],
    [{ future: 1 }, 'Unknown name "future"'],
    [{ store: true }, 'nothing is stored'],
  ])('throws errors: %j', async (members, message) => {
    await expect(client().interactions.create({ ...ask, ...members, stream: false } as never)).rejects.toThrow(message);
  });
});

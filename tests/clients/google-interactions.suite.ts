import { GoogleGenAI, type Interactions } from '@google/genai';
import { describe, expect, test } from 'vitest';
import { type Ability, can } from './families.ts';
import { pixel, type Place, weatherSchema } from './rig.ts';

type Body = Omit<Interactions.InteractionCreateParams.CreateModelInteractionParams, 'model' | 'stream'>;

const tool = (name: string): Interactions.Tool => ({
  type: 'function',
  name,
  description: `Returns the ${name}.`,
  parameters: weatherSchema,
});
const callsIn = (steps: readonly Interactions.Step[]) =>
  steps.flatMap((step) => (step.type === 'function_call' ? step : []));

/** Tests the Google Gen AI SDK against one family, through `/v1beta/interactions`. */
export function googleInteractionsSuite({ family, rig }: Place): void {
  const { name: model, provider } = family;
  const able = (...abilities: Ability[]): boolean => can(family, ...abilities);
  const client = (apiKey = rig().gateway.apiKey) =>
    new GoogleGenAI({ apiKey, vertexai: false, httpOptions: { baseUrl: rig().gateway.baseUrl } }).interactions;
  const plainly = (body: Body) => client().create({ ...body, model, stream: false });
  /** The events of a stream, and the texts and the interaction in them. */
  const streamed = async (body: Body) => {
    const events: Interactions.InteractionSSEEvent[] = [];
    for await (const event of await client().create({ ...body, model, stream: true })) events.push(event);
    const deltas = events.flatMap((event) => (event.event_type === 'step.delta' ? event.delta : []));
    const text = deltas.map((delta) => (delta.type === 'text' ? delta.text : '')).join('');
    const last = events.at(-1);
    return { events, text, ended: last?.event_type === 'interaction.completed' ? last.interaction : undefined };
  };

  describe('the Google Gen AI SDK with interactions', () => {
    test('returns text', async () => {
      const body = { input: 'Hello', system_instruction: 'Be brief.', store: false };
      const [plain, stream] = [await plainly(body), await streamed(body)];
      expect(plain).toMatchObject({ model, status: 'completed', output_text: stream.text });
      expect(plain.output_text).toContain(`simulated answer from ${provider}`);
      expect(stream.ended).toMatchObject({ model, status: 'completed' });
      // The SDK adds a count to whole answers.
      expect(plain.usage).toMatchObject({ ...stream.ended?.usage });
    });

    test('reports an answer cut at its token limit', async () => {
      const body = { input: '[words:400]', generation_config: { max_output_tokens: 20 }, store: false };
      const statuses = [(await plainly(body)).status, (await streamed(body)).ended?.status];
      expect(statuses).toEqual(['incomplete', 'incomplete']);
    });

    test.runIf(able('tools', 'tool results'))(
      'continues a stored interaction with the results of two calls',
      async () => {
        const tools = [tool('weather'), tool('time')];
        const asked = await plainly({ input: 'Both in parallel', tools });
        expect(asked.status).toBe('requires_action');
        expect(callsIn(asked.steps).map(({ name }) => name)).toEqual(['weather', 'time']);
        const input = callsIn(asked.steps).map(({ id, name }, at) => ({
          type: 'function_result' as const,
          call_id: id,
          name,
          result: `Result ${at}.`,
        }));
        const answer = await streamed({ input, tools, previous_interaction_id: asked.id });
        expect(answer.text).toMatch(/Result 0\..*Result 1\./);
        const found = await client().get(answer.ended?.id ?? '', { include_input: true });
        expect(found).toMatchObject({ output_text: answer.text, previous_interaction_id: asked.id, input });
        await client().delete(asked.id);
        await expect(client().get(asked.id)).rejects.toMatchObject({ statusCode: 404 });
      },
    );

    test('follows an interaction in the background from its second event', async () => {
      const { id, status } = await plainly({ input: 'Hello', background: true });
      expect(status).toBe('in_progress');
      const types: string[] = [];
      for await (const event of await client().get(id, { stream: true, last_event_id: '1' }))
        types.push(event.event_type);
      expect([types[0], types.at(-1)]).toEqual(['interaction.status_update', 'interaction.completed']);
      expect(await client().get(id)).toMatchObject({ id, model, status: 'completed' });
      expect(await client().cancel(id)).toMatchObject({ id, status: 'completed' });
    });

    test.runIf(able('images'))('accepts an image', async () => {
      const image = { type: 'image' as const, mime_type: 'image/png' as const, data: pixel };
      const { output_text: text } = await plainly({
        input: [{ type: 'text', text: 'What is it?' }, image],
        store: false,
      });
      expect(text).toContain('What is it?');
    });

    test('raises the errors of this API', async () => {
      const failures = [
        client('sk-tp-none').create({ model, input: 'Hello' }),
        client().create({ model: 'no-such-model', input: 'Hello' }),
        client().create({ model, input: 'Hello', webhook_config: { uris: ['https://example.com'] } }),
        client().create({ model, input: 'Hello', previous_interaction_id: 'int_none' }),
      ];
      const errors = await Promise.all(failures.map((failure) => failure.catch((error: unknown) => error)));
      expect(errors).toMatchObject([
        { statusCode: 400, error: { error: { status: 'INVALID_ARGUMENT' } } },
        { statusCode: 404, error: { error: { status: 'NOT_FOUND' } } },
        { statusCode: 400, message: expect.stringContaining('webhook_config') },
        { statusCode: 404, message: expect.stringContaining('previous_interaction_id') },
      ]);
    });
  });
}

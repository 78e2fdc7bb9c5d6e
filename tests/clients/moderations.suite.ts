import OpenAI from 'openai';
import { expect, test } from 'vitest';
import type { Rig } from './rig.ts';

/** Tests the moderations of the OpenAI SDK against every vendor that has some, through the whole gateway. */
export function moderationsSuite(rig: () => Rig): void {
  const moderations = (apiKey = rig().gateway.apiKey) =>
    new OpenAI({ baseURL: `${rig().gateway.baseUrl}/v1`, apiKey, maxRetries: 0 }).moderations;

  const image = { type: 'image_url' as const, image_url: { url: 'data:image/png;base64,AAAA' } };

  test("uses OpenAI's moderation model by default, with one result for each text", async () => {
    const { id, model, results } = await moderations().create({ input: ['quiet', 'self-harm and hate'] });
    expect([id.slice(0, 5), model]).toEqual(['modr-', 'openai/omni-moderation-latest']);
    const flagged = results.map(({ flagged: flag, categories }) => [flag, categories.hate, categories['self-harm']]);
    expect(flagged).toEqual([
      [false, false, false],
      [true, true, true],
    ]);
  });

  test('judges text and image together at OpenAI', async () => {
    const { results } = await moderations().create({ input: [{ type: 'text', text: 'violence' }, image] });
    expect(results.map(({ category_applied_input_types: kinds }) => [kinds.violence, kinds.hate])).toEqual([
      [['text', 'image'], ['text']],
    ]);
  });

  test("keeps Mistral's categories and says what is flagged", async () => {
    const model = 'mistral-moderation-latest';
    const { results, model: used } = await moderations().create({ model, input: ['about law', 'quiet'] });
    expect([used, ...results.map(({ flagged }) => flagged)]).toEqual([`mistral/${model}`, true, false]);
    expect(results[0]?.categories).toMatchObject({ law: true, selfharm: false });
  });

  test('raises errors', async () => {
    const mistral = 'mistral-moderation-latest';
    const failures = [
      moderations('sk-tp-none').create({ input: 'Hello' }),
      moderations().create({ model: 'no-such-model', input: 'Hello' }),
      moderations().create({ model: 'gpt-6-luna', input: 'Hello' }),
      moderations().create({ model: mistral, input: [image] }),
      moderations().create({ input: [] }),
    ];
    const errors = await Promise.all(failures.map((failure) => failure.catch((error: unknown) => error)));
    expect(errors).toMatchObject([
      { status: 401, code: 'invalid_api_key' },
      { status: 404, code: 'model_not_found' },
      { status: 400, code: 'unsupported_capability', param: 'model' },
      { status: 400, code: 'unsupported_capability', param: 'input' },
      { status: 400, code: 'invalid_parameters', param: 'input' },
    ]);
    expect(rig().simulator.requests.filter(({ path }) => path.endsWith('/moderations'))).toEqual([]);
  });
}

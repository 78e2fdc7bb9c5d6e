import { describe, expect, test } from 'vitest';
import { fold } from '../fold/fold.ts';
import { vendorFormats } from '../testing/vendor-formats.ts';
import { plainAnswer } from '../testing/answer.ts';
import { callOf, contextOf, vendorOffer, translate } from '../testing/translate.ts';
import { vertexAddress } from './address.ts';
import { googleVertex } from './chat.ts';

const request = (modelName: string, stream: boolean) => {
  const { path, body } = googleVertex.request(
    callOf({}, stream),
    vendorOffer(googleVertex, { modelName, maxOutput: 100 }),
  );
  return { path, body: JSON.parse(body) };
};
const contents = [{ role: 'user', parts: [{ text: 'Hi' }] }];
const messages = [{ role: 'user', content: [{ type: 'text', text: 'Hi' }] }];

describe('the format of the model’s maker', () => {
  test.each([
    ['gemini-2.5-pro', false, '/publishers/google/models/gemini-2.5-pro:generateContent', { contents }],
    ['gemini-2.5-pro', true, '/publishers/google/models/gemini-2.5-pro:streamGenerateContent?alt=sse', { contents }],
    [
      'claude-sonnet-4-5@20250929',
      false,
      '/publishers/anthropic/models/claude-sonnet-4-5%4020250929:rawPredict',
      { anthropic_version: 'vertex-2023-10-16', max_tokens: 100, messages },
    ],
    [
      'claude-sonnet-4-5@20250929',
      true,
      '/publishers/anthropic/models/claude-sonnet-4-5%4020250929:streamRawPredict',
      { anthropic_version: 'vertex-2023-10-16', max_tokens: 100, messages, stream: true },
    ],
    [
      'deepseek-ai/deepseek-v3.2-maas',
      false,
      '/endpoints/openapi/chat/completions',
      { model: 'deepseek-ai/deepseek-v3.2-maas', messages: [{ role: 'user', content: 'Hi' }] },
    ],
  ])('%s, streamed %s', (modelName, stream, path, body) => {
    expect(request(modelName, stream)).toEqual({ path, body });
  });

  test.each([
    ['gemini-2.5-pro', 'google'],
    ['claude-sonnet-4-5@20250929', 'anthropic'],
    ['deepseek-ai/deepseek-v3.2-maas', 'openai'],
  ] as const)('%s uses the format of %s, with and without streaming', (modelName, dialect) => {
    const provider = { ...googleVertex, ...formatCase(modelName) };
    const format = vendorFormats[dialect];
    const whole = provider.response(format.json(plainAnswer), contextOf(provider));
    expect(whole.choices[0]?.message.content).toBe('Hello, world 🌍');
    expect(fold(translate(provider, format.stream(plainAnswer)))).toEqual(whole);
  });

  const formatCase = (modelName: string): Pick<typeof googleVertex, 'response' | 'stream'> => {
    const offer = vendorOffer(googleVertex, { modelName });
    return {
      response: (body, context) => googleVertex.response(body, { ...context, offer }),
      stream: (context) => googleVertex.stream({ ...context, offer }),
    };
  };

  test.each([
    ['Google', { error: { code: 429, message: 'Slow down.', status: 'RESOURCE_EXHAUSTED' } }],
    ['Anthropic', { type: 'error', error: { type: 'rate_limit_error', message: 'Slow down.' } }],
    ['OpenAI', { error: { code: 429, message: 'Slow down.', type: 'limit' } }],
  ])('reads an error in the format of %s', (_name, body) => {
    expect(googleVertex.error(429, {}, body)).toMatchObject({
      code: 'upstream_error',
      domain: 'provider',
      message: 'google-vertex failed with status 429: Slow down.',
    });
  });
});

describe('the address', () => {
  const url = (settings: Record<string, string>, baseUrl?: string) => {
    const address = vertexAddress({ baseUrl, setting: (name) => settings[name] });
    return 'missing' in address ? address.missing : address.baseUrl + address.path?.('/own', vendorOffer(googleVertex));
  };
  const global = 'https://aiplatform.googleapis.com/v1';

  test.each([
    [{ GOOGLE_VERTEX_PROJECT: 'p' }, undefined, `${global}/projects/p/locations/global/own`],
    [
      { GOOGLE_VERTEX_PROJECT: 'p', GOOGLE_VERTEX_LOCATION: 'europe-west4' },
      undefined,
      'https://europe-west4-aiplatform.googleapis.com/v1/projects/p/locations/europe-west4/own',
    ],
    [
      { GOOGLE_APPLICATION_CREDENTIALS: '{"project_id":"of-the-key"}' },
      undefined,
      `${global}/projects/of-the-key/locations/global/own`,
    ],
    [{ GOOGLE_VERTEX_PROJECT: 'p' }, 'http://127.0.0.1:9/v1', 'http://127.0.0.1:9/v1/projects/p/locations/global/own'],
    [{ GOOGLE_VERTEX_CREDENTIALS: 'no json' }, undefined, 'GOOGLE_VERTEX_PROJECT'],
    [
      { GOOGLE_VERTEX_PROJECT: 'p', GOOGLE_VERTEX_LOCATION: 'evil.test/' },
      undefined,
      'GOOGLE_VERTEX_LOCATION with the name of a location',
    ],
  ])('with %j and base %s', (settings, baseUrl, expected) => {
    expect(url(settings, baseUrl)).toBe(expected);
  });
});

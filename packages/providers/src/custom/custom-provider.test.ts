import { customProviderSchema } from '@tallyport/contracts';
import { describe, expect, test } from 'vitest';
import { providerSuite } from '../provider.suite.ts';
import { delta, vendorOf } from '../testing/openai-vendor.ts';
import { customProvider } from './custom-provider.ts';

/** A provider as in an operator’s file, with every setting. */
const configured = customProviderSchema.parse({
  id: 'own-endpoint',
  baseUrl: 'https://models.example/v2',
  keyVariable: 'OWN_ENDPOINT',
  path: '/chat',
  quirks: {
    request: { rename: { seed: 'random_seed' }, drop: ['user'], add: { safe: true } },
    refuse: ['logprobs'],
    keepInTurn: ['reasoning_content'],
    dropInMessages: ['name'],
    streamUsage: 'unasked',
    thinking: 'tags',
    sources: 'answer',
    finishReasons: { done: 'stop', broken: 'fault' },
    errorStatus: { E_MONEY: 402 },
    images: 'inline',
    maxChoices: 1,
  },
});

const plain = customProviderSchema.parse({ id: 'plain', baseUrl: 'https://a.example', keyVariable: 'PLAIN' });
const provider = customProvider(configured);
const { sent, unsupported, folded, choice, failure } = vendorOf(provider);

providerSuite(provider);
providerSuite(customProvider(plain));

describe('the configuration applies to', () => {
  test('the address and the authentication', () => {
    const { id, baseUrl, keyVariable, auth, images, maxChoices, textDeltasAreIndependent } = provider;
    expect({ id, baseUrl, keyVariable, auth, images, maxChoices, textDeltasAreIndependent }).toEqual({
      id: 'own-endpoint',
      baseUrl: 'https://models.example/v2',
      keyVariable: 'OWN_ENDPOINT',
      auth: { kind: 'bearer' },
      images: 'inline',
      maxChoices: 1,
      textDeltasAreIndependent: false,
    });
    expect(customProvider({ ...plain, needsKey: false }).auth).toEqual({ kind: 'none' });
  });

  test('requests', () => {
    expect(sent({ seed: 1, user: 'u', logprobs: false }, { stream: true })).toEqual({
      random_seed: 1,
      safe: true,
      stream: true,
    });
    expect(unsupported({ logprobs: true })).toBe('logprobs');
  });

  test('answers', () => {
    const whole = folded(
      delta({ content: '<think>hm</think>x' }),
      delta({}, 'done', { citations: ['https://a.example'] }),
    );
    expect(whole.choices[0]).toMatchObject({
      finish_reason: 'stop',
      message: { content: 'x', reasoning_content: 'hm', annotations: [{ url_citation: { url: 'https://a.example' } }] },
    });
    expect(() => choice({}, { finish_reason: 'broken' })).toThrow(expect.objectContaining({ domain: 'provider' }));
  });

  test('errors', () => {
    expect(failure(400, { error: { code: 'E_MONEY', message: 'No.' } })).toMatchObject({ code: 'upstream_auth' });
  });
});

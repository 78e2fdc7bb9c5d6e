import { describe, expect, test } from 'vitest';
import { createPathGuide } from './path-guide.ts';

const guide = createPathGuide(
  [
    'GET /v1/models',
    'GET /v1/models/{id}',
    'POST /v1/models/{id}:countTokens',
    'POST /v1/chat/completions',
    'POST /v1/completions',
    'POST /v1/images/generations',
    'POST /v1/images/edits',
    'GET /v1/key',
    'GET /v1beta/models',
    'GET /api/v1/keys',
    'POST /api/v1/keys',
    'DELETE /api/v1/keys/{id}',
    'POST /api/v1/keys/{id}/rotate',
    '/docs',
  ].map((text) => {
    const [path = '', method] = text.split(' ').toReversed();
    return { path, ...(method !== undefined && { method }) };
  }),
);

/** The mistake and the routes in place of an address, as `POST /path`. */
const meant = (wrong: string) => {
  const [method = '', path = ''] = wrong.split(' ');
  const found = guide({ method, path });
  return found && [found.mistake, ...found.routes.map((each) => `${each.route.method ?? '*'} ${each.path}`)];
};

describe('a wrong address', () => {
  test.each([
    ['a slash at the end', 'GET /v1/models/', ['spelling', 'GET /v1/models']],
    ['doubled slashes', 'POST //v1//chat/completions//', ['spelling', 'POST /v1/chat/completions']],
    ['capitals', 'POST /V1/Chat/Completions', ['spelling', 'POST /v1/chat/completions']],
    ['the base URL twice', 'POST /v1/v1/chat/completions', ['extra_start', 'POST /v1/chat/completions']],
    ['the base URL before another API', 'POST /v1/api/v1/keys', ['extra_start', 'POST /api/v1/keys']],
    ['the same with an id', 'DELETE /v1/api/v1/keys/k1', ['extra_start', 'DELETE /api/v1/keys/k1']],
    [
      'the same with a part after the id',
      'POST /x/api/v1/keys/k1/rotate',
      ['extra_start', 'POST /api/v1/keys/k1/rotate'],
    ],
    ['an id with slashes', 'GET /v1/v1/models/a/b', ['extra_start', 'GET /v1/models/a/b']],
    ['a method after the id', 'POST /v1/v1/models/a:countTokens', ['extra_start', 'POST /v1/models/a:countTokens']],
    ['no base URL', 'POST /chat/completions', ['missing_start', 'POST /v1/chat/completions']],
    ['the nearest of two ends', 'POST /completions', ['missing_start', 'POST /v1/completions']],
    ['two that are equally near', 'GET /models', ['missing_start', 'GET /v1/models', 'GET /v1beta/models']],
    ['another API of the same version', 'POST /v1/keys', ['missing_start', 'POST /api/v1/keys']],
    ['a misspelt part', 'POST /v1/chat/completion', ['spelling', 'POST /v1/chat/completions']],
    ['two letters swapped', 'GET /api/v1/kyes', ['spelling', 'GET /api/v1/keys']],
    ['another version', 'GET /v2/models', ['spelling', 'GET /v1/models']],
    ['a misspelt part before an id', 'GET /v1/model/gpt-6-luna', ['spelling', 'GET /v1/models/gpt-6-luna']],
    ['a route of any method', 'GET /doc', ['spelling', '* /docs']],
    ['no end', 'POST /v1/images', ['missing_end', 'POST /v1/images/generations', 'POST /v1/images/edits']],
    ['another start', 'POST /openai/deployments/x/chat/completions', ['spelling', 'POST /v1/chat/completions']],
    ['a method that no route has', 'PUT /v1/key/', ['spelling', 'GET /v1/key']],
    ['HEAD instead of GET', 'HEAD /api/v1/keys/', ['spelling', 'GET /api/v1/keys']],
    ['nothing like a route', 'GET /favicon.ico', undefined],
    ['an unknown part after a known one', 'GET /v1/nothing', undefined],
    ['no segment', 'GET //', undefined],
  ])('with %s: %s', (_mistake, wrong, expected) => {
    expect(meant(wrong)).toEqual(expected);
  });

  test('is compared up to 300 characters and twelve segments', () => {
    const longest = 'm'.repeat(300 - '/v1/model/'.length);
    expect(meant(`GET /v1/model/${longest}`)).toEqual(['spelling', `GET /v1/models/${longest}`]);
    expect(meant(`GET /v1/model/${longest}m`)).toBeUndefined();
    expect(meant(`GET ${'/x'.repeat(10)}/v1/models`)).toEqual(['extra_start', 'GET /v1/models']);
    expect(meant(`GET ${'/x'.repeat(11)}/v1/models`)).toBeUndefined();
  });
});

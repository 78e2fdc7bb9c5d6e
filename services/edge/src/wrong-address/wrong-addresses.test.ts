import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type GatedEdge, openGatedEdge } from '../testing/gated-edge.ts';

let edge: GatedEdge;
beforeAll(async () => {
  edge = await openGatedEdge();
});
afterAll(() => edge.stop());

const call = (wrong: string, headers: Record<string, string> = {}) => {
  const [method = '', path = ''] = wrong.split(' ');
  return fetch(`http://127.0.0.1:${edge.port}${path}`, { method, headers });
};
const messageOf = async (wrong: string): Promise<unknown> => {
  const response = await call(wrong);
  const { error } = (await response.json()) as { error: { message: string } };
  return [response.status, error.message];
};

const noneLike = 'GET /v1 lists the API, and /docs describes it.';

describe('a wrong address', () => {
  test.each([
    ['POST /v1/v1/chat/completions', 'The base URL already ends in /v1: did you mean POST /v1/chat/completions?'],
    ['GET /v1/api/v1/keys', 'The management API is at /api/v1, without /v1 before it: did you mean GET /api/v1/keys?'],
    ['POST /v1/keys', 'The management API is below /api/v1: did you mean POST /api/v1/keys?'],
    ['GET /v1/alerts', 'The management API is below /api/v1: did you mean GET /api/v1/alerts?'],
    ['GET /v1/models/', 'Did you mean GET /v1/models?'],
    ['POST /v1/chat/completions/', 'Did you mean POST /v1/chat/completions?'],
    ['POST /chat/completions', 'The API is below /v1: did you mean POST /v1/chat/completions?'],
    ['POST /v1/embedding', 'Did you mean POST /v1/embeddings?'],
    ['GET /v1/docs', 'Leave out /v1: did you mean /docs?'],
    ['GET /v1/nothing', noneLike],
    ['GET /status.json', noneLike],
    ['GET /session/chat/completions/', 'Did you mean POST /v1/chat/completions?'],
    ['GET /%zz', noneLike],
  ])('%s: %s', async (wrong, hint) => {
    expect(await messageOf(wrong)).toEqual([404, `${wrong} does not exist. ${hint}`]);
  });

  test.each([
    ['POST /v1/realtime/calls', 'WebRTC and SIP are not served'],
    ['POST /v1/realtime/calls/rtc_1/hangup', 'WebRTC and SIP are not served'],
    ['POST /v1/live/sessions', 'Live API is not served'],
    ['GET /ws/google.ai.generativelanguage.v1beta.GenerativeService.BidiGenerateContentConstrained', 'only /ws/google'],
    ['GET //ws/google.ai.generativelanguage.v1alpha.GenerativeService.BidiGenerateMusic', 'only /ws/google'],
    ['POST /v1alpha/auth_tokens', 'Ephemeral tokens of Google are not served'],
  ])('%s is refused by its name', async (address, text) => {
    expect(await messageOf(address)).toEqual([404, expect.stringContaining(text)]);
  });

  test.each(['', '/video_1', '/video_1/content', '/video_1/remix', '/edits', '/characters/char_1'])(
    'of a video says that none is served: /v1/videos%s with each method',
    async (rest) => {
      for (const method of ['GET', 'POST', 'DELETE', 'PUT', 'PATCH'])
        for (const base of ['/v1', '/openai/v1', '/v1beta/openai'])
          expect(await messageOf(`${method} ${base}/videos${rest}`)).toEqual([
            404,
            'Videos are not served: this gateway makes texts, images, speech and vectors. Call the vendor of the video itself.',
          ]);
      expect((await call(`HEAD /v1/videos${rest}`)).status).toBe(404);
    },
  );

  test('that is the base URL lists what to call', async () => {
    for (const path of ['/v1', '/v1/'])
      expect(await messageOf(`GET ${path}`)).toEqual([
        404,
        `GET ${path} does not exist: it is the base URL for clients. Call GET /v1/models, POST /v1/chat/completions, ` +
          'POST /v1/messages, POST /v1/messages/count_tokens, POST /v1/responses, POST /v1/responses/compact, ' +
          'POST /v1/responses/input_tokens, POST /v1/conversations, ' +
          'POST /v1/completions, POST /v1/interactions, POST /v1/embeddings, POST /v1/moderations, POST /v1/decisions, ' +
          'POST /v1/systemone, POST /v1/rerank, POST /v1/audio/speech, POST /v1/audio/transcriptions, POST /v1/audio/translations, GET /v1/realtime, POST /v1/images/generations, ' +
          'POST /v1/images/edits, POST /v1/files, GET /v1/files, POST /v1/batches, GET /v1/batches, POST /v1/messages/batches, GET /v1/messages/batches, POST /v1/routes/explain, GET /v1/providers, GET /v1/usage, GET /v1/key, POST /v1/realtime/client_secrets; ' +
          '/docs describes them.',
      ]);
  });

  test('with a hostile length is answered with its first 200 characters', async () => {
    const path = `/v1/${'x/'.repeat(3_000)}`;
    expect(await messageOf(`GET ${path}`)).toEqual([404, `GET ${path.slice(0, 200)} does not exist. ${noneLike}`]);
  });

  test.each([
    ['POST /v1/v1/messages', 404, { type: 'error', error: { type: 'not_found_error' } }],
    ['GET /v1/messages', 405, { type: 'error', error: { type: 'invalid_request_error' } }],
    ['POST /v1beta/nothing', 404, { error: { code: 404, status: 'NOT_FOUND' } }],
    ['GET /v1/nothing', 404, { error: { code: 'not_found', type: 'invalid_request_error' } }],
    ['POST /v1/messages/nothing', 404, { type: 'error', error: { type: 'not_found_error' } }],
    ['POST /anthropic/v1/nothing', 404, { type: 'error', error: { type: 'not_found_error' } }],
    ['PUT /v1/responses/resp_1', 405, { error: { code: 'method_not_allowed' } }],
    ['PUT /v1/interactions/int_1', 405, { error: { code: 405, status: 'INVALID_ARGUMENT' } }],
    ['POST /v1beta/openai/nothing', 404, { error: { code: 'not_found', type: 'invalid_request_error' } }],
    ['GET /v1/skills', 404, { type: 'error' }, { 'anthropic-version': '2023-06-01' }],
    ['GET /v1/skills', 404, { error: { status: 'NOT_FOUND' } }, { 'x-goog-api-key': 'key' }],
  ])('%s gets the errors of its API', async (wrong, status, body, headers: Record<string, string> = {}) => {
    const response = await call(wrong, headers);
    expect(response.status).toBe(status);
    expect(await response.json()).toMatchObject(body);
  });
});

test('the Messages API has the request id where its clients look for it', async () => {
  const idsOf = async (wrong: string) => {
    const { headers } = await call(wrong, { 'x-request-id': 'mine' });
    return [headers.get('request-id'), headers.get('x-request-id')];
  };
  for (const wrong of ['POST /v1/messages', 'POST /v1/messages/nothing', 'GET /v1/messages']) {
    expect(await idsOf(wrong)).toEqual(['mine', 'mine']);
  }
  expect(await idsOf('POST /v1/completions')).toEqual([null, 'mine']);
});

describe('a browser', () => {
  const headers = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };
  const open = async (path: string) => {
    const response = await call(`GET ${path}`, headers);
    return { status: response.status, type: response.headers.get('content-type'), page: await response.text() };
  };

  test('gets a page at the base URL that lists what to call and leads to the reference', async () => {
    const { page, ...head } = await open('/v1');
    expect(head).toEqual({ status: 404, type: 'text/html; charset=utf-8' });
    const names = [...page.matchAll(/<li><code>([^<]+)<\/code>/g)].map(([, name]) => name);
    expect([names[0], names[1], names.at(-1)]).toEqual([
      'GET /v1/models',
      'POST /v1/chat/completions',
      'POST /v1/realtime/client_secrets',
    ]);
    expect(page).toContain('<a href="/docs">API reference</a>');
  });

  test('gets a page for a wrong address, with its text escaped', async () => {
    const { page, ...head } = await open('/dashbord');
    expect(head).toEqual({ status: 404, type: 'text/html; charset=utf-8' });
    expect(page).toContain('<p>GET /dashbord does not exist. Did you mean /dashboard?</p>');
    expect((await open("/'&x")).page).toContain('<p>GET /&#39;&amp;x does not exist.');
  });
});

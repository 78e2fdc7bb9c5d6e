import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { maskToken } from '../../packages/pages/src/http/csrf-mask.ts';
import { mp3Silence } from '../../packages/sandbox/src/model/speech.ts';
import { vectorOf } from '../../packages/sandbox/src/model/vector.ts';
import { type Gateway, startGateway } from '../gateway/in-process.ts';
import { email, password } from '../oauth/gateway.ts';
import { type Owner, signInOwner } from '../provider-keys/owner.ts';
import { startChromium } from '../support/chromium.ts';
import { openOwner, type Visitor } from './visitor.ts';

const texts = ['A cat', 'A <b>dog</b>'];
const spoken = 'The trains are sorted by night.';
const sound = Buffer.concat(mp3Silence(spoken));

/** What the modules of two playgrounds send, and what the form of the same page sends. */
const embeddings = {
  page: 'embeddings',
  path: '/session/embeddings',
  body: { model: 'sandbox-embedding', input: texts },
  fields: { model: 'sandbox-embedding', prompt: texts.join('\r\n') },
};
const speech = {
  page: 'speech',
  path: '/session/audio/speech',
  body: { model: 'sandbox-speech', input: spoken, voice: 'alloy' },
  fields: { model: 'sandbox-speech', prompt: spoken },
};
const both = [embeddings, speech];

const mostBodyBytes = 100_000;
const mostFormBytes = 64 * 1024;

describe('the playground', () => {
  let gateway: Gateway;
  let api: Owner;
  let browser: Browser;
  /** Without scripts. */
  let owner: Visitor;
  let scripted: Visitor;
  beforeAll(async () => {
    const environment = {
      BOOTSTRAP_ADMIN_EMAIL: email,
      BOOTSTRAP_ADMIN_PASSWORD: password,
      LOG_CONTENT: 'true',
      MAX_BODY_BYTES: String(mostBodyBytes),
    };
    [gateway, browser] = await Promise.all([startGateway(environment), startChromium()]);
    api = await signInOwner(gateway.baseUrl, { email, password });
    owner = await openOwner(browser, gateway.baseUrl);
    scripted = await openOwner(browser, gateway.baseUrl, { javaScriptEnabled: true });
  });
  afterAll(async () => {
    await browser?.close();
    await gateway?.stop();
  });

  const token = () => maskToken(api.headers['x-csrf-token'] ?? '');

  /** As a module of the page sends it, with other headers; an empty one is left out. */
  const ask = (path: string, body: unknown, changes: Record<string, string> = {}) => {
    const own = { 'x-csrf-token': token(), 'x-tallyport-account': 'default', 'sec-fetch-site': 'same-origin' };
    const headers = Object.entries({ ...api.headers, ...own, ...changes }).filter(([, value]) => value !== '');
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    return fetch(gateway.baseUrl + path, { method: 'POST', headers: Object.fromEntries(headers), body: text });
  };

  /** As a browser without scripts sends the form of a page. */
  const submit = (page: string, fields: Record<string, string>, { account = 'default', cookie = true } = {}) =>
    fetch(`${gateway.baseUrl}/dashboard/${account}/playground/${page}`, {
      method: 'POST',
      redirect: 'manual',
      headers: { ...(cookie && { cookie: api.headers['cookie'] ?? '' }), origin: gateway.baseUrl },
      body: new URLSearchParams({ csrf_token: token(), ...fields }),
    });

  const errorOf = async (response: Response) => {
    const { error } = (await response.json()) as { error: { code: string; param: string | null } };
    return [response.status, error.code, error.param];
  };
  /** The status of a page with what it says is wrong. */
  const problemOf = async (response: Response) => {
    const text = await response.text();
    return [response.status, /<p class="note bad" role="alert">([^<]*)</.exec(text)?.[1]];
  };
  /** The facts below the answer of a page. */
  const factsOf = (text: string) =>
    Object.fromEntries(
      [...text.matchAll(/<dt>(.*?)<\/dt>\s*<dd>(.*?)<\/dd>/g)].map(([, name = '', value = '']) => [
        name,
        value.replaceAll(/<[^>]*>/g, ''),
      ]),
    );

  test('embeddings are the same for the module and for the form', async () => {
    const answer = await ask(embeddings.path, embeddings.body);
    const requestId = answer.headers.get('x-request-id') ?? '';
    expect([answer.status, await answer.json()]).toEqual([
      200,
      {
        object: 'list',
        model: 'sandbox-a/sandbox-embedding',
        data: texts.map((text, index) => ({ object: 'embedding', index, embedding: [...vectorOf(text, 256)] })),
        usage: { prompt_tokens: 5, total_tokens: 5, cost: 0 },
        metadata: expect.objectContaining({
          request_id: requestId,
          requested_model: 'sandbox-embedding',
          used_provider: 'sandbox-a',
          cached: false,
        }),
      },
    ]);
    const page = await submit(embeddings.page, embeddings.fields);
    const text = await page.text();
    const said = [...text.matchAll(/<p class="answer-text">([^<]*)<\/p>/g)].at(-1)?.[1];
    expect([page.status, said]).toEqual([
      200,
      'Text 1: 256 numbers, 0.0912, 0.0566, -0.0902, -0.0872 …\n' +
        'Text 2: 256 numbers, -0.0550, -0.0658, 0.1056, -0.0979 …; similarity to text 1: -0.087',
    ]);
    expect(factsOf(text)).toEqual({
      Provider: 'sandbox-a',
      Attempts: '0',
      Cache: 'HIT',
      Tokens: '5 in, 0 out',
      Cost: '$0',
      Request: page.headers.get('x-request-id'),
    });
  });

  test('speech is the same file for the module and for the form', async () => {
    const answer = await ask(speech.path, speech.body);
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'audio/mpeg']);
    expect(Buffer.from(await answer.arrayBuffer()).equals(sound)).toBe(true);
    const page = await submit(speech.page, speech.fields);
    const text = await page.text();
    expect(/<a href="data:audio\/mpeg;base64,([^"]*)" download="speech">/.exec(text)?.[1]).toBe(
      sound.toString('base64'),
    );
    expect(factsOf(text)).toMatchObject({ Provider: 'sandbox-a', Request: page.headers.get('x-request-id') });
  });

  test.each(both)(
    '$page: only a page of this session and account is answered',
    async ({ page, path, body, fields }) => {
      for (const [changes, status, code] of [
        [{ cookie: '' }, 401, 'invalid_api_key'],
        [{ 'x-csrf-token': '' }, 403, 'permission_denied'],
        [{ 'x-csrf-token': 'A'.repeat(86) }, 403, 'permission_denied'],
        [{ 'sec-fetch-site': 'cross-site' }, 403, 'permission_denied'],
        [{ 'x-tallyport-account': 'other' }, 404, 'not_found'],
      ] as const) {
        expect([changes, await errorOf(await ask(path, body, changes))]).toEqual([changes, [status, code, null]]);
      }
      const withKey = await fetch(gateway.baseUrl + path, {
        method: 'POST',
        headers: { authorization: `Bearer ${gateway.apiKey}`, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
      expect(withKey.status).toBe(401);
      expect((await submit(page, { ...fields, csrf_token: '' })).status).toBe(403);
      expect((await submit(page, fields, { account: 'other' })).status).toBe(404);
      expect((await submit(page, fields, { cookie: false })).status).toBe(401);
    },
  );

  test.each([
    { ...embeddings, makes: 'embeddings' },
    { ...speech, makes: 'speech' },
  ])('$page: a wrong request says what is wrong', async ({ page, path, body, fields, makes }) => {
    for (const [wrong, ...error] of [
      ['{', 400, 'invalid_json', null],
      [{}, 400, 'invalid_parameters', 'model'],
      [{ ...body, input: '' }, 400, 'invalid_parameters', 'input'],
      [{ ...body, model: 'nothing' }, 404, 'model_not_found', 'model'],
      [{ ...body, model: 'sandbox-chat' }, 400, 'unsupported_capability', 'model'],
      [{ ...body, input: 'a'.repeat(mostBodyBytes) }, 413, 'request_too_large', null],
    ] as const) {
      expect(await errorOf(await ask(path, wrong))).toEqual(error);
    }
    const prompt = fields.prompt;
    expect(await problemOf(await submit(page, { ...fields, prompt: ' ' }))).toEqual([
      400,
      'Correct the marked field below.',
    ]);
    expect(await problemOf(await submit(page, { model: 'nothing', prompt }))).toEqual([
      404,
      'There is no model &#39;nothing&#39;. The page Models lists all.',
    ]);
    expect(await problemOf(await submit(page, { model: 'sandbox-chat', prompt }))).toEqual([
      400,
      `&#39;sandbox-chat&#39; does not make ${makes}. Use a model whose output modality is \`${makes}\`.`,
    ]);
    expect((await submit(page, { ...fields, prompt: 'a'.repeat(mostFormBytes) })).status).toBe(413);
  });

  test.each(both)('$page: the limits of the key of the person count for the module and the form', async (sent) => {
    const { body } = await api.ask('GET /keys?search=Playground');
    const [{ id } = { id: '' }] = body['keys'] as { id: string }[];
    const setLimits = (limits: object) => api.ask(`PATCH /keys/${id}`, { limits });
    expect((await setLimits({ requestsPerMinute: { chat: 1 } })).status).toBe(200);
    try {
      await expect.poll(async () => (await ask(sent.path, sent.body)).status).toBe(429);
      expect(await errorOf(await ask(sent.path, sent.body))).toEqual([429, 'rate_limit_exceeded', null]);
      expect((await submit(sent.page, sent.fields)).status).toBe(429);
    } finally {
      await setLimits({});
    }
    await expect.poll(async () => (await ask(sent.path, sent.body)).status).toBe(200);
  });

  const chat = (messages: readonly object[]) =>
    fetch(`${gateway.baseUrl}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${gateway.apiKey}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'sandbox-fast', messages }),
    });

  test('a kept request is asked again with its prompt, with and without scripts', async () => {
    await owner.go('account');
    await owner.fill({ 'Keep prompts and answers for': '7' });
    await owner.press('Save');
    const messages = [
      { role: 'system', content: 'Be <b>brief</b>.' },
      { role: 'user', content: 'Which "colour"?' },
      { role: 'assistant', content: 'Blue & green.' },
      { role: 'user', content: 'And\nanother?' },
    ];
    const askAgain = async () => {
      const id = (await chat(messages)).headers.get('x-request-id') ?? '';
      const found = async () => {
        await scripted.go(`requests?id=${id}`);
        return scripted.rows('Requests');
      };
      await expect.poll(found).toHaveLength(1);
      await scripted.page.locator('tbody tr a').first().click();
      await scripted.follow('Ask again in the playground');
      return scripted.page.getByLabel('Message').inputValue();
    };
    // The setting reaches the services within a moment.
    await expect.poll(askAgain).toBe('And\nanother?');
    await owner.page.goto(scripted.page.url());
    for (const { page } of [owner, scripted]) {
      expect(await page.getByLabel('Message').inputValue()).toBe('And\nanother?');
      expect(await page.getByLabel('System').inputValue()).toBe('Be <b>brief</b>.');
      expect(await page.getByLabel('Model', { exact: true }).inputValue()).toBe('sandbox-fast');
      expect(await page.locator('#conversation .answer-text').allTextContents()).toEqual([
        'Which "colour"?',
        'Blue & green.',
      ]);
      expect(await page.locator('.note.warn').count()).toBe(0);
    }
    const sent = scripted.page.waitForRequest('**/session/chat/completions');
    await scripted.press('Send');
    expect(((await sent).postDataJSON() as { messages: unknown }).messages).toEqual(messages);
    await owner.press('Send');
    await owner.page.getByRole('region', { name: 'Answer 2 of sandbox-fast' }).locator('dl').waitFor();
    expect(await owner.page.locator('.said .answer-text').allTextContents()).toEqual([
      'Which "colour"?',
      'And\nanother?',
    ]);
  });
});

import { createServer } from 'node:http';
import { text as bodyOf } from 'node:stream/consumers';
import Anthropic from '@anthropic-ai/sdk';
import { GoogleGenAI } from '@google/genai';
import OpenAI, { toFile } from 'openai';
import { listen, stopServer } from '@tallyport/service-kit';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { pixel, type Rig, startRig } from '../clients/rig.ts';
import { createAdminKey } from '../docs/admin-key.ts';

/** Guardrails set through the management API, seen by the clients of every API through the whole gateway. */
let rig: Rig;
let adminKey: string;
let webhook: Awaited<ReturnType<typeof openWebhook>>;
beforeAll(async () => {
  rig = await startRig({ further: () => ({ ALLOW_LOCAL_TARGETS: 'true' }) });
  adminKey = await createAdminKey(rig.gateway);
  webhook = await openWebhook();
});
afterEach(() => rig.simulator.reset());
afterAll(async () => {
  await webhook.close();
  await rig.stop();
});

const secret = 'ada@example.com';
const question = `Say ${secret}`;
const models = {
  openai: 'openai/gpt-6-luna',
  anthropic: 'anthropic/claude-haiku-4-5',
  google: 'google/gemini-2.5-flash-lite',
};

async function keyWith(guardrails: object): Promise<string> {
  const response = await fetch(`${rig.gateway.baseUrl}/api/v1/keys`, {
    method: 'POST',
    headers: { authorization: `Bearer ${adminKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'guarded', guardrails }),
  });
  expect(response.status).toBe(201);
  return ((await response.json()) as { key: string }).key;
}

const openai = (apiKey: string) => new OpenAI({ baseURL: `${rig.gateway.baseUrl}/v1`, apiKey, maxRetries: 0 });
const anthropic = (apiKey: string) => new Anthropic({ baseURL: rig.gateway.baseUrl, apiKey, maxRetries: 0 });
const google = (apiKey: string) =>
  new GoogleGenAI({ apiKey, vertexai: false, httpOptions: { baseUrl: rig.gateway.baseUrl } }).models;

/** Each resolves with the text of the answer. */
const ways: Record<string, (apiKey: string) => Promise<string>> = {
  async 'chat completions'(apiKey) {
    const messages = [{ role: 'user' as const, content: question }];
    const answer = await openai(apiKey).chat.completions.create({ model: models.openai, messages });
    return answer.choices[0]?.message.content ?? '';
  },
  async 'chat completions, streamed'(apiKey) {
    const messages = [{ role: 'user' as const, content: question }];
    let text = '';
    const stream = await openai(apiKey).chat.completions.create({ model: models.openai, messages, stream: true });
    for await (const chunk of stream) text += chunk.choices[0]?.delta.content ?? '';
    return text;
  },
  async responses(apiKey) {
    return (await openai(apiKey).responses.create({ model: models.openai, input: question })).output_text;
  },
  async 'responses, streamed'(apiKey) {
    const stream = openai(apiKey).responses.stream({ model: models.openai, input: question });
    const { error, output_text: text } = await stream.finalResponse();
    // The SDK resolves with a response that failed.
    if (error) throw new Error(error.message);
    return text;
  },
  async messages(apiKey) {
    const answer = await anthropic(apiKey).messages.create({
      model: models.anthropic,
      max_tokens: 500,
      messages: [{ role: 'user', content: question }],
    });
    return answer.content.map((block) => (block.type === 'text' ? block.text : '')).join('');
  },
  'messages, streamed': (apiKey) =>
    anthropic(apiKey)
      .messages.stream({ model: models.anthropic, max_tokens: 500, messages: [{ role: 'user', content: question }] })
      .finalText(),
  async gemini(apiKey) {
    return (await google(apiKey).generateContent({ model: models.google, contents: question })).text ?? '';
  },
  async 'gemini, streamed'(apiKey) {
    let text = '';
    for await (const piece of await google(apiKey).generateContentStream({
      model: models.google,
      contents: question,
    })) {
      text += piece.text ?? '';
    }
    return text;
  },
};

describe.each(Object.entries(ways))('%s', (_name, ask) => {
  test('a request is redacted, or blocked before a provider is called', async () => {
    const redacting = await keyWith({ request: { detect: { email: 'redact' } } });
    expect(await ask(redacting)).toContain('Say [email]');
    expect(rig.simulator.requests.map(({ body }) => body).join()).not.toContain(secret);
    rig.simulator.reset();
    const blocking = await keyWith({ request: { detect: { email: 'block' } } });
    await expect(ask(blocking)).rejects.toThrow("The request was blocked by the rule 'email'");
    expect(rig.simulator.requests).toEqual([]);
  });

  test('an answer is redacted, or blocked', async () => {
    const redacting = await keyWith({ answer: { detect: { email: 'redact' } } });
    const text = await ask(redacting);
    expect(text).toContain('Say [email]');
    expect(text).not.toContain(secret);
    const blocking = await keyWith({ answer: { detect: { email: 'block' } } });
    await expect(ask(blocking)).rejects.toThrow("The answer was blocked by the rule 'email'");
  });
});

/** The error and the findings of the newest request with a key. */
async function newestFindings(key: string): Promise<object | undefined> {
  const read = async (path: string) => {
    const response = await fetch(`${rig.gateway.baseUrl}/api/v1/${path}`, {
      headers: { authorization: `Bearer ${adminKey}` },
    });
    return (await response.json()) as Record<string, any>; // oxlint-disable-line typescript/no-explicit-any
  };
  const { keys } = await read('keys');
  const found = keys.find(({ prefix }: { prefix: string }) => key.startsWith(prefix));
  const { requests } = await read(`requests?key=${found.id}&limit=1`);
  if (requests.length === 0) return undefined;
  const { error, guardrails } = await read(`requests/${requests[0].id}`);
  return { error, guardrails };
}

/** Redacts the address, and blocks texts with the word. */
async function openWebhook() {
  const secretOfWebhook = '0123456789abcdef0123456789abcdef';
  const server = createServer(async (request, response) => {
    const { texts } = JSON.parse(await bodyOf(request)) as { texts: string[] };
    const isForbidden = texts.some((text) => text.includes('forbidden'));
    const replaced = texts.map((text) => text.replaceAll(secret, '[person]'));
    response.end(JSON.stringify(isForbidden ? { verdict: 'block' } : { verdict: 'redact', texts: replaced }));
  });
  const url = await listen(server, { host: '127.0.0.1', port: 0 });
  const added = await fetch(`${rig.gateway.baseUrl}/api/v1/guard-webhooks`, {
    method: 'POST',
    headers: { authorization: `Bearer ${adminKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'dlp', url, secret: secretOfWebhook }),
  });
  expect(added.status).toBe(201);
  return { close: () => stopServer(server, 100) };
}

describe.each(Object.entries(ways))('%s with a webhook', (_name, ask) => {
  const webhook = { name: 'dlp', onFailure: 'block', timeoutMs: 10_000 };
  const rule = { webhook: { ...webhook, portion: 200 } };

  test('a request and an answer are redacted', async () => {
    expect(await ask(await keyWith({ request: { webhook } }))).toContain('Say [person]');
    expect(rig.simulator.requests.map(({ body }) => body).join()).not.toContain(secret);
    const text = await ask(await keyWith({ answer: rule }));
    expect(text).toContain('Say [person]');
    expect(text).not.toContain(secret);
  });

  test('an answer is blocked, and its record says why', async () => {
    const patterns = [{ name: 'forbidden', pattern: 'Say', action: 'redact' }];
    const key = await keyWith({ answer: rule, request: { patterns } });
    await expect(ask(key)).rejects.toThrow("The answer was blocked by the rule 'webhook:dlp'");
    await expect
      .poll(() => newestFindings(key))
      .toEqual({
        error: 'guardrail_blocked',
        guardrails: [
          { rule: 'forbidden', action: 'redact', count: 1 },
          { rule: 'webhook:dlp', action: 'block', count: 1 },
        ],
      });
  });
});

describe('a decision model', () => {
  // The simulated model finds a statement true if all of its words are in the text.
  const decision = (policy: string, action: 'block' | 'flag') => ({
    model: 'jev-1.14.0',
    onFailure: 'block',
    timeoutMs: 10_000,
    policies: [{ name: 'words', policy, action }],
  });

  test.each(Object.entries(ways))('blocks requests and answers of %s', async (_name, ask) => {
    const blocking = decision('say ada', 'block');
    await expect(ask(await keyWith({ request: { decision: blocking } }))).rejects.toThrow(
      "The request was blocked by the rule 'decision:words'",
    );
    await expect(ask(await keyWith({ answer: { decision: blocking } }))).rejects.toThrow(
      "The answer was blocked by the rule 'decision:words'",
    );
  });

  test('flags what it lets pass, and decides about images', async () => {
    const { 'chat completions': ask = () => Promise.resolve('') } = ways;
    const flagging = await keyWith({ request: { decision: decision('say ada', 'flag') } });
    expect(await ask(flagging)).toContain(secret);
    await expect
      .poll(() => newestFindings(flagging))
      .toEqual({ guardrails: [{ rule: 'decision:words', action: 'flag', count: 1 }] });
    const blocking = openai(await keyWith({ request: { decision: decision('say ada', 'block') } }));
    rig.simulator.reset();
    const prompt = { model: 'openai/gpt-image-2', prompt: question };
    await expect(blocking.images.generate(prompt)).rejects.toThrow("'decision:words'");
    expect(rig.simulator.requests.map(({ provider }) => provider)).toEqual(['typesafe']);
  });
});

test('prompts of images are inspected, in JSON and in forms', async () => {
  const redacting = openai(await keyWith({ request: { detect: { email: 'redact' } } }));
  const blocking = openai(await keyWith({ request: { detect: { email: 'block' } } }));
  const image = await toFile(Buffer.from(pixel, 'base64'), 'in.png', { type: 'image/png' });
  const prompt = { model: 'openai/gpt-image-2', prompt: question };
  await redacting.images.generate(prompt);
  await redacting.images.edit({ ...prompt, image });
  expect(rig.simulator.requests.map(({ body }) => [body.includes('[email]'), body.includes(secret)])).toEqual([
    [true, false],
    [true, false],
  ]);
  rig.simulator.reset();
  await expect(blocking.images.generate(prompt)).rejects.toThrow("'email'");
  await expect(blocking.images.edit({ ...prompt, image })).rejects.toThrow("'email'");
  expect(rig.simulator.requests).toEqual([]);
});

test('a change of the rules of the account applies to its keys at once', async () => {
  const key = await keyWith({});
  const { 'chat completions': ask = () => Promise.resolve('') } = ways;
  const change = (guardrails: object | null) =>
    fetch(`${rig.gateway.baseUrl}/api/v1/accounts/default`, {
      method: 'PATCH',
      headers: { authorization: `Bearer ${adminKey}`, 'content-type': 'application/json' },
      body: JSON.stringify({ guardrails }),
    });
  expect(await ask(key)).toContain(secret);
  expect((await change({ request: { detect: { email: 'redact' } } })).status).toBe(200);
  await expect.poll(() => ask(key)).toContain('[email]');
  expect((await change(null)).status).toBe(200);
  await expect.poll(() => ask(key)).toContain(secret);
});

import OpenAI, {
  APIUserAbortError,
  AuthenticationError,
  BadRequestError,
  InternalServerError,
  NotFoundError,
} from 'openai';
import { afterEach, describe, expect, test } from 'vitest';

export interface Gateway {
  baseUrl: string;
  apiKey: string;
  /** The simulated providers' control API. */
  sandboxUrl: string;
}

/** What a developer with the OpenAI SDK meets, however the gateway runs. */
export function gatewaySuite(gateway: () => Gateway): void {
  const client = (options: { apiKey?: string } = {}): OpenAI =>
    new OpenAI({ baseURL: `${gateway().baseUrl}/v1`, apiKey: options.apiKey ?? gateway().apiKey, maxRetries: 0 });
  const hello = { model: 'sandbox-chat', messages: [{ role: 'user' as const, content: 'Hello' }] };

  const breakProvider = (provider: string, fault: string): Promise<Response> =>
    fetch(`${gateway().sandboxUrl}/control/faults`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ provider, fault }),
    });
  afterEach(async () => {
    await fetch(`${gateway().sandboxUrl}/control/faults`, { method: 'DELETE' });
  });
  const post = (body: string, headers: Record<string, string> = {}): Promise<Response> =>
    fetch(`${gateway().baseUrl}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${gateway().apiKey}`, 'content-type': 'application/json', ...headers },
      body,
    });

  describe('the OpenAI SDK', () => {
    test('lists the models', async () => {
      const { data } = await client().models.list();
      expect(data.map(({ id }) => id)).toContain('sandbox-chat');
      expect(data.every(({ object }) => object === 'model')).toBe(true);
    });

    test('completes a chat, told which provider served it', async () => {
      const completion = await client().chat.completions.create(hello);
      expect(completion.model).toBe('sandbox-a/sandbox-chat');
      expect(completion.id).toMatch(/^chatcmpl-/);
      expect(completion.choices[0]?.message.content).toContain('simulated answer from sandbox-a');
      expect(completion.choices[0]?.finish_reason).toBe('stop');
      expect(completion.usage?.total_tokens).toBeGreaterThan(0);
      expect(completion).toMatchObject({
        metadata: {
          requested_model: 'sandbox-chat',
          used_provider: 'sandbox-a',
          cached: false,
          routing: [{ provider: 'sandbox-a', succeeded: true, status_code: 200 }],
        },
      });
    });

    test('streams a chat whose text is that of the plain answer', async () => {
      const plain = await client().chat.completions.create(hello);
      let text = '';
      const reasons: string[] = [];
      const stream = await client().chat.completions.create({
        ...hello,
        stream: true,
        stream_options: { include_usage: true },
      });
      let usage: OpenAI.CompletionUsage | null | undefined;
      for await (const chunk of stream) {
        text += chunk.choices[0]?.delta.content ?? '';
        if (chunk.choices[0]?.finish_reason) reasons.push(chunk.choices[0].finish_reason);
        usage = chunk.usage ?? usage;
      }
      expect(text).toBe(plain.choices[0]?.message.content);
      expect(reasons).toEqual(['stop']);
      expect(usage).toEqual(plain.usage);
    });

    test('streams tool calls that assemble', async () => {
      const tools = [
        {
          type: 'function' as const,
          function: {
            name: 'weather',
            parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
          },
        },
      ];
      const runner = client().chat.completions.stream({ ...hello, tools });
      const call = (await runner.finalChatCompletion()).choices[0]?.message.tool_calls?.[0];
      expect(call).toMatchObject({ type: 'function', function: { name: 'weather' } });
      expect(JSON.parse(call?.type === 'function' ? call.function.arguments : '')).toHaveProperty('city');
    });

    test('leaves a stream, and the provider’s connection closes within 300 ms', async () => {
      await fetch(`${gateway().sandboxUrl}/control/requests`, { method: 'DELETE' });
      const controller = new AbortController();
      const stream = await client().chat.completions.create(
        { model: 'sandbox-chat', stream: true, messages: [{ role: 'user', content: '[words:500]' }] },
        { signal: controller.signal },
      );
      let leftAt = 0;
      for await (const chunk of stream) {
        if (!chunk.choices[0]?.delta.content) continue;
        leftAt = Date.now();
        controller.abort();
        break;
      }
      const aborted = async (): Promise<{ endedAt: number } | undefined> => {
        const answer = await fetch(`${gateway().sandboxUrl}/control/requests`);
        const { requests } = (await answer.json()) as { requests: { outcome: string; endedAt: number }[] };
        return requests.find(({ outcome }) => outcome === 'aborted');
      };
      await expect.poll(aborted, { timeout: 2_000 }).toBeDefined();
      expect(((await aborted())?.endedAt ?? Infinity) - leftAt).toBeLessThan(300);
    });

    test('aborts a plain request', async () => {
      await breakProvider('sandbox-a', 'hang');
      const controller = new AbortController();
      const asked = client().chat.completions.create(hello, { signal: controller.signal });
      setImmediate(() => controller.abort());
      await expect(asked).rejects.toBeInstanceOf(APIUserAbortError);
    });

    test('maps our errors to its own classes', async () => {
      const failure = (asked: Promise<unknown>): Promise<unknown> =>
        asked.then(
          () => undefined,
          (error: unknown) => error,
        );
      const wrongKey = await failure(client({ apiKey: 'not-a-key-at-all-here' }).chat.completions.create(hello));
      expect(wrongKey).toBeInstanceOf(AuthenticationError);
      expect(wrongKey).toMatchObject({
        status: 401,
        code: 'invalid_api_key',
        requestID: expect.stringMatching(/^req_/),
      });

      const noModel = await failure(client().chat.completions.create({ ...hello, model: 'sandbox-chta' }));
      expect(noModel).toBeInstanceOf(NotFoundError);
      expect(noModel).toMatchObject({ code: 'model_not_found', message: expect.stringContaining('sandbox-chat') });

      const badRequest = await failure(
        client().chat.completions.create({ ...hello, temperature: 'hot' as unknown as number }),
      );
      expect(badRequest).toBeInstanceOf(BadRequestError);
      expect(badRequest).toMatchObject({ code: 'invalid_parameters', param: 'temperature' });

      for (const provider of ['sandbox-a', 'sandbox-b', 'sandbox-c']) await breakProvider(provider, 'status:500');
      const allDown = await failure(client().chat.completions.create(hello));
      expect(allDown).toBeInstanceOf(InternalServerError);
      expect(allDown).toMatchObject({ status: 502, code: 'all_providers_failed' });
    });
  });

  describe('failover', () => {
    test.each(['status:503', 'reset', 'cut-after-headers', 'error-in-200', 'status:429;retry-after=1'])(
      'a provider that answers with %s is left before the first content, streaming or not',
      async (fault) => {
        await breakProvider('sandbox-a', fault);
        const plain = await client().chat.completions.create(hello);
        expect(plain.model).toBe('sandbox-b/sandbox-chat');
        const { metadata } = plain as unknown as { metadata: { routing: { provider: string; succeeded: boolean }[] } };
        expect(metadata.routing.map(({ provider, succeeded }) => [provider, succeeded])).toEqual([
          ['sandbox-a', false],
          ['sandbox-b', true],
        ]);
        const streamed = await client().chat.completions.stream(hello).finalChatCompletion();
        expect(streamed.model).toBe('sandbox-b/sandbox-chat');
        expect(streamed.choices[0]?.message.content).toContain('sandbox-b');
      },
    );

    test('after the first content a cut stream ends with an error event and no [DONE]', async () => {
      await breakProvider('sandbox-a', 'cut:1500');
      const text = await (await post(JSON.stringify({ ...hello, stream: true }))).text();
      const events = text.split('\n\n').filter((event) => event !== '');
      expect(text).not.toContain('[DONE]');
      expect(JSON.parse(events.at(-1)!.replace('data: ', ''))).toMatchObject({ error: { code: 'stream_truncated' } });
    });

    test('X-No-Fallback keeps to the first provider', async () => {
      await breakProvider('sandbox-a', 'status:503');
      const response = await post(JSON.stringify(hello), { 'x-no-fallback': 'true' });
      expect(response.status).toBe(502);
    });
  });

  describe('hostile input', () => {
    const messages = (count: number): string =>
      JSON.stringify({ ...hello, messages: Array.from({ length: count }, () => ({ role: 'user', content: 'x' })) });
    const nested = (depth: number): string =>
      `{"model":"sandbox-chat","messages":[{"role":"user","content":"x"}],"metadata":${'['.repeat(depth)}${']'.repeat(depth)}}`;
    test.each([
      ['broken JSON', '{"model":', 400, 'invalid_json'],
      ['invalid UTF-8', Buffer.from([0x7b, 0xff, 0xfe, 0x7d]) as unknown as string, 400, 'invalid_json'],
      ['no object', '[]', 400, 'invalid_parameters'],
      ['no messages', '{"model":"sandbox-chat"}', 400, 'invalid_parameters'],
      ['an empty body', '', 400, 'invalid_json'],
      ['a message of the wrong type', '{"model":"sandbox-chat","messages":["hi"]}', 400, 'invalid_parameters'],
      ['an unknown model', '{"model":"nope","messages":[{"role":"user","content":"x"}]}', 404, 'model_not_found'],
    ])('%s gets a typed answer', async (_name, body, status, code) => {
      const response = await post(body);
      expect(response.status).toBe(status);
      const { error } = (await response.json()) as { error: Record<string, unknown> };
      expect(error).toMatchObject({ code, message: expect.any(String), type: 'invalid_request_error' });
      expect('param' in error).toBe(true);
    });

    test('10,000 messages are served', async () => {
      expect((await post(messages(10_000))).status).toBe(200);
    });

    test('nesting 50,000 deep is answered, and the process lives', async () => {
      expect([200, 400]).toContain((await post(nested(50_000))).status);
      expect((await post(JSON.stringify(hello))).status).toBe(200);
    });

    test('no answer shows a stack, a path or a key', async () => {
      for (const body of ['{', '{"model":1}', '{"model":"nope","messages":[]}']) {
        const text = await (await post(body)).text();
        expect(text).not.toMatch(/node_modules|\.ts:|at Object|\/src\//);
        expect(text).not.toContain(gateway().apiKey);
      }
    });
  });
}

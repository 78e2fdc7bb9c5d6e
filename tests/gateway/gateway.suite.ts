import OpenAI, {
  APIUserAbortError,
  AuthenticationError,
  BadRequestError,
  InternalServerError,
  NotFoundError,
} from 'openai';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

interface Gateway {
  baseUrl: string;
  apiKey: string;
  /** The simulated providers' control API. */
  sandboxUrl: string;
}

/** Tests the gateway with the OpenAI SDK, in one process or distributed. */
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
  const post = (body: string, headers: Record<string, string> = {}, path = '/v1/chat/completions'): Promise<Response> =>
    fetch(`${gateway().baseUrl}${path}`, {
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

    test('completes a chat and names the provider that served it', async () => {
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

    test('streams a chat with the same text as the plain answer', async () => {
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

    test('streams tool calls that the SDK assembles', async () => {
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

    // `npm run bench` measures how soon.
    test('closes the provider’s connection when the client leaves a stream', async () => {
      await fetch(`${gateway().sandboxUrl}/control/requests`, { method: 'DELETE' });
      const controller = new AbortController();
      const stream = await client().chat.completions.create(
        { model: 'sandbox-chat', stream: true, messages: [{ role: 'user', content: '[words:500]' }] },
        { signal: controller.signal },
      );
      for await (const chunk of stream) {
        if (!chunk.choices[0]?.delta.content) continue;
        controller.abort();
        break;
      }
      const outcomes = async (): Promise<string[]> => {
        const answer = await fetch(`${gateway().sandboxUrl}/control/requests`);
        const { requests } = (await answer.json()) as { requests: { outcome: string }[] };
        return requests.map(({ outcome }) => outcome);
      };
      await expect.poll(outcomes).toContain('aborted');
    });

    test('aborts a plain request', async () => {
      await breakProvider('sandbox-a', 'hang');
      const controller = new AbortController();
      const request = client().chat.completions.create(hello, { signal: controller.signal });
      setImmediate(() => controller.abort());
      await expect(request).rejects.toBeInstanceOf(APIUserAbortError);
    });

    test('maps errors to the error classes of the SDK', async () => {
      const failure = (request: Promise<unknown>): Promise<unknown> =>
        request.then(
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
    /**
     * After the first offer the order is by score, which earlier tests still influence for some half-lives of a
     * millisecond. Scores have four digits, so two consecutive equal readings mean that this influence is gone.
     */
    beforeEach(async () => {
      let equal = 0;
      const equalInTurn = async () => (equal = (await scoresOfAllReplicas()).size === 1 ? equal + 1 : 0);
      await expect.poll(equalInTurn, { interval: 100 }).toBe(2);
    });

    async function scoresOfAllReplicas(): Promise<Set<number>> {
      const answers = await Promise.all(
        Array.from({ length: 8 }, () => post(JSON.stringify(hello), {}, '/v1/routes/explain')),
      );
      const routes = await Promise.all(
        answers.map((answer) => answer.json() as Promise<{ candidates: { score: number }[] }>),
      );
      return new Set(routes.flatMap(({ candidates }) => candidates.map(({ score }) => score)));
    }

    test.each(['status:503', 'reset', 'cut-after-headers', 'error-in-200', 'status:429;retry-after=1'])(
      'uses another provider when one answers with %s before the first content, streaming or not',
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

    test('a stream cut after the first content ends with an error event and without [DONE]', async () => {
      await breakProvider('sandbox-a', 'cut:1500');
      const text = await (await post(JSON.stringify({ ...hello, stream: true }))).text();
      const events = text.split('\n\n').filter((event) => event !== '');
      expect(text).not.toContain('[DONE]');
      expect(JSON.parse(events.at(-1)!.replace('data: ', ''))).toMatchObject({ error: { code: 'stream_truncated' } });
    });

    test('X-No-Fallback uses only the first provider', async () => {
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
    ])('%s gets a typed error', async (_name, body, status, code) => {
      const response = await post(body);
      expect(response.status).toBe(status);
      const { error } = (await response.json()) as { error: Record<string, unknown> };
      expect(error).toMatchObject({ code, message: expect.any(String), type: 'invalid_request_error' });
      expect('param' in error).toBe(true);
    });

    test('serves 10,000 messages', async () => {
      expect((await post(messages(10_000))).status).toBe(200);
    });

    test('answers a body nested 50,000 deep and keeps running', async () => {
      expect([200, 400]).toContain((await post(nested(50_000))).status);
      expect((await post(JSON.stringify(hello))).status).toBe(200);
    });

    test('errors contain no stack, path or key', async () => {
      for (const body of ['{', '{"model":1}', '{"model":"nope","messages":[]}']) {
        const text = await (await post(body)).text();
        expect(text).not.toMatch(/node_modules|\.ts:|at Object|\/src\//);
        expect(text).not.toContain(gateway().apiKey);
      }
    });
  });
}

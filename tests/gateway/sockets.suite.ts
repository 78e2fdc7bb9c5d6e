import OpenAI from 'openai';
import { ResponsesWS } from 'openai/resources/responses/ws';
import type { ResponsesClientEvent, ResponsesServerEvent } from 'openai/resources/responses/responses';
import { afterEach, describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';

interface Gateway {
  baseUrl: string;
  apiKey: string;
}

/** Tests Responses over a WebSocket with OpenAI's SDK and with what Codex sends, in one process or distributed. */
export function socketsSuite(gateway: () => Gateway): void {
  const sockets: { close(): void }[] = [];
  afterEach(() => {
    for (const socket of sockets.splice(0)) socket.close();
  });

  const sdk = (): OpenAI => new OpenAI({ baseURL: `${gateway().baseUrl}/v1`, apiKey: gateway().apiKey, maxRetries: 0 });

  /** Sends events with the SDK's socket, and collects those of each answer up to its end. */
  function openSdkSocket() {
    const socket = new ResponsesWS(sdk());
    sockets.push(socket);
    const events: ResponsesServerEvent[] = [];
    let waiting: (() => void) | undefined;
    socket.on('error', () => undefined);
    socket.on('event', (event) => {
      events.push(event);
      waiting?.();
    });
    return async (event: ResponsesClientEvent): Promise<ResponsesServerEvent[]> => {
      socket.send(event);
      while (!events.some(({ type }) => ends.has(type))) await new Promise<void>((resolve) => (waiting = resolve));
      return events.splice(0);
    };
  }

  const create = (input: string, members: Partial<ResponsesClientEvent.ResponseCreate> = {}) =>
    ({ type: 'response.create', model: 'sandbox-chat', input, store: false, ...members }) as const;

  describe('Responses on a WebSocket', () => {
    test('OpenAI’s SDK gets the same events as over HTTP', async () => {
      const stream = await sdk().responses.create({
        model: 'sandbox-chat',
        input: 'Hello',
        store: false,
        stream: true,
      });
      const overHttp: ResponsesServerEvent[] = [];
      for await (const event of stream) overHttp.push(event as ResponsesServerEvent);
      const send = openSdkSocket();
      expect(comparable(await send(create('Hello')))).toEqual(comparable(overHttp));
    });

    test('each response continues the one before it, though none is stored', async () => {
      const send = openSdkSocket();
      const first = idIn(await send(create('My name is Ada.')));
      const second = await send(create('And now?', { previous_response_id: first }));
      expect(second.at(-1)).toMatchObject({ type: 'response.completed', response: { previous_response_id: first } });
      const elsewhere = openSdkSocket();
      expect(await elsewhere(create('And now?', { previous_response_id: first }))).toEqual([
        expect.objectContaining({
          type: 'error',
          status: 400,
          error: expect.objectContaining({ code: 'previous_response_not_found', param: 'previous_response_id' }),
        }),
      ]);
    });

    test('a wrong request leaves the socket open', async () => {
      const send = openSdkSocket();
      expect(await send(create('Hello', { model: 'nothing-like-it' }))).toMatchObject([
        { type: 'error', status: 404, error: { code: 'model_not_found' } },
      ]);
      expect((await send(create('Hello'))).at(-1)).toMatchObject({ type: 'response.completed' });
    });

    test('Codex prepares its first turn, and continues it with what is new', async () => {
      const socket = new WebSocket(`${gateway().baseUrl.replace('http', 'ws')}/v1/responses`, {
        headers: {
          authorization: `Bearer ${gateway().apiKey}`,
          'openai-beta': 'responses_websockets=2026-02-06',
          originator: 'codex_cli_rs',
          'session-id': 'session-1',
          'user-agent': 'codex_cli_rs/0.169.0',
        },
      });
      sockets.push(socket);
      const events: { type: string; response?: { id: string } }[] = [];
      let waiting: (() => void) | undefined;
      socket.on('message', (data) => {
        events.push(JSON.parse(data.toString()));
        waiting?.();
      });
      const send = async (event: object) => {
        socket.send(JSON.stringify(event));
        while (!events.some(({ type }) => ends.has(type))) await new Promise<void>((resolve) => (waiting = resolve));
        return events.splice(0);
      };
      await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject));
      const prepared = await send({ ...codexTurn, input: [], generate: false });
      expect(prepared.map(({ type }) => type)).toEqual([
        'response.created',
        'response.in_progress',
        'response.completed',
      ]);
      const user = { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Hello' }] };
      const answered = await send({
        ...codexTurn,
        input: [...codexContext, user],
        previous_response_id: prepared[0]?.response?.id,
      });
      expect(answered.at(-1)).toMatchObject({
        type: 'response.completed',
        response: { status: 'completed', output: [{ type: 'function_call', name: 'exec_command' }] },
      });
    });
  });
}

const ends: ReadonlySet<string> = new Set(['response.completed', 'response.failed', 'response.incomplete', 'error']);

const codexContext = [
  { type: 'message', role: 'developer', content: [{ type: 'input_text', text: 'Sandbox: read-only.' }] },
];

/** What Codex sends with each turn. */
const codexTurn = {
  type: 'response.create',
  model: 'sandbox-chat',
  instructions: 'You are a coding agent.',
  tools: [
    { type: 'function', name: 'exec_command', description: 'Runs.', strict: false, parameters: { type: 'object' } },
  ],
  tool_choice: 'auto',
  parallel_tool_calls: true,
  reasoning: null,
  store: false,
  stream: true,
  include: ['reasoning.encrypted_content'],
  prompt_cache_key: 'thread-1',
  client_metadata: { origin: 'cli' },
};

function idIn(events: readonly ResponsesServerEvent[]): string {
  const last = events.at(-1);
  return last?.type === 'response.completed' ? last.response.id : '';
}

/** Without ids and times, which differ with each response. */
const comparable = (events: readonly ResponsesServerEvent[]): unknown =>
  JSON.parse(
    JSON.stringify(events, (name, value: unknown) => (/(^|_)id$|_at$|^obfuscation$/.test(name) ? undefined : value)),
  );

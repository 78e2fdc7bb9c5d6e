import type { Distributed } from '../../scripts/distributed/start.ts';
import { connectSocket } from '../../services/edge/src/testing/socket-client.ts';

/** Sends chats of all kinds, also on a socket and in a batch, images, tool calls and invalid requests, with a failing provider. */
export async function makeTraffic(running: Distributed): Promise<void> {
  const post = (path: string, body: object, headers: Record<string, string> = {}): Promise<string> =>
    fetch(`${running.baseUrl}${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${running.apiKey}`, 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    }).then((response) => response.text());
  const chat = (options: object = {}, headers?: Record<string, string>): Promise<string> => {
    // Each prompt is unique, so that the cache does not answer.
    const messages = [{ role: 'user', content: `Hello ${performance.now()}` }];
    return post('/v1/chat/completions', { model: 'sandbox-chat', messages, ...options }, headers);
  };
  const tool = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'list-models', arguments: {} } };
  // The cache keeps no answers of sandbox-chat.
  const again = { model: 'sandbox-fast', messages: [{ role: 'user', content: 'The same' }], temperature: 0 };

  await fault(running, 'sandbox-a', 'status:503');
  await Promise.all([chat(), chat({ model: 'sandbox-a/sandbox-chat' }, { 'x-no-fallback': 'true' })]);
  await fetch(`${running.sandboxUrl}/control/faults`, { method: 'DELETE' });
  await Promise.all([chat(), chat({ stream: true }), chat({ model: 'sandbox-b/sandbox-chat' })]);
  await chat(again);
  await Promise.all([
    sendOnSockets(running),
    sendBatch(running),
    chat(again),
    post('/v1/images/generations', { model: 'sandbox-image', prompt: 'A yard' }),
    post('/v1/messages', { ...again, model: 'sandbox-chat', max_tokens: 20 }),
    post('/mcp', tool),
    chat({ model: 'no-such-model' }),
    post('/v1/images/generations', { model: 'no-such-model', prompt: 'A yard' }),
    post('/v1/chat/completions', {}, { authorization: 'Bearer not-a-key-at-all' }),
  ]);
}

/** A batch with one line, whose input is stored as a file. */
async function sendBatch({ baseUrl, apiKey }: Distributed): Promise<void> {
  const headers = { authorization: `Bearer ${apiKey}` };
  const endpoint = '/v1/chat/completions';
  const body = { model: 'sandbox-chat', messages: [{ role: 'user', content: 'Hello' }] };
  const form = new FormData();
  form.set('purpose', 'batch');
  form.set('file', new File([JSON.stringify({ custom_id: 'one', method: 'POST', url: endpoint, body })], 'in.jsonl'));
  const stored = await fetch(`${baseUrl}/v1/files`, { method: 'POST', headers, body: form });
  const { id } = (await stored.json()) as { id: string };
  const created = await fetch(`${baseUrl}/v1/batches`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify({ input_file_id: id, endpoint, completion_window: '24h' }),
  });
  await created.text();
}

/** A response on a socket, and a realtime session that no provider here has. */
async function sendOnSockets({ baseUrl, apiKey: key }: Distributed): Promise<void> {
  const socket = await connectSocket(baseUrl, '/v1/responses', { key });
  socket.send({ type: 'response.create', model: 'sandbox-chat', input: 'Hello', store: false });
  await socket.until('response.completed');
  socket.webSocket.close();
  await (
    await connectSocket(baseUrl, '/v1/realtime?model=no-such-model', { key })
  ).closed;
}

export const fault = (running: Distributed, provider: string, kind: string): Promise<Response> =>
  fetch(`${running.sandboxUrl}/control/faults`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ provider, fault: kind }),
  });

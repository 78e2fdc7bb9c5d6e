import { expect, test } from 'vitest';
import { openGatedEdge } from './testing/gated-edge.ts';

test('requests that still run a second before the end of a shutdown get its reason, on each connection', async () => {
  const edge = await openGatedEdge();
  edge.services.silent = true;
  const chat = () =>
    fetch(`http://127.0.0.1:${edge.port}/v1/chat/completions`, {
      method: 'POST',
      headers: { 'x-api-key': 'key', 'content-type': 'application/json' },
      body: '{}',
    });
  const chats = [chat(), chat()];
  await expect.poll(async () => (await edge.held()).requests).toBe(2);
  const stopped = edge.stop();
  const answers = await Promise.all(chats.map(async (each) => [(await each).status, await (await each).json()]));
  const error = expect.objectContaining({ message: expect.stringContaining('This server is shutting down.') });
  expect(answers).toEqual([
    [503, expect.objectContaining({ error })],
    [503, expect.objectContaining({ error })],
  ]);
  await stopped;
});

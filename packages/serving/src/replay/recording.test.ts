import { GatewayError } from '@tallyport/contracts';
import { expect, test } from 'vitest';
import { Recording, type RecordingRoom } from './recording.ts';

const head = { status: 200, headers: {} };

function record({ maxBytes = 100, room = { held: 0, limit: 1_000 } as RecordingRoom, keepAliveMs = 60_000 } = {}) {
  let useless = 0;
  const recording = new Recording({ maxBytes, room, keepAliveMs, onUseless: () => (useless += 1) });
  return { recording, room, useless: () => useless };
}

async function textOf(body: AsyncIterable<Uint8Array>): Promise<string> {
  let text = '';
  for await (const piece of body) text += Buffer.from(piece).toString();
  return text;
}

test('can be read from any position, while it grows and afterwards', async () => {
  const { recording, room } = record();
  recording.begin(head, true);
  await recording.push(Buffer.from('a'));
  const early = textOf(recording.readFirst(0));
  await recording.push(Buffer.from('b'));
  recording.end();
  expect([await early, await textOf(recording.read(0)), await textOf(recording.read(1))]).toEqual(['ab', 'ab', 'b']);
  expect([recording.kept, room.held]).toEqual([true, 2]);
  recording.forget();
  expect(room.held).toBe(0);
});

test('is kept up to its limit; beyond, it is passed on at the pace of the first reader and not held', async () => {
  const { recording, room } = record({ maxBytes: 4 });
  recording.begin(head, false);
  await recording.push(Buffer.from('1234'));
  expect(recording.kept).toBe(true);
  let went = false;
  const pushing = recording.push(Buffer.from('5')).then(() => (went = true));
  const reader = recording.readFirst(0);
  await reader.next();
  expect([recording.kept, went]).toEqual([false, false]);
  const last = reader.next();
  await pushing;
  recording.end();
  expect(Buffer.from((await last).value ?? []).toString()).toBe('5');
  expect((await reader.next()).done).toBe(true);
  expect(room.held).toBe(0);
  await expect(textOf(recording.read(0))).rejects.toMatchObject({ code: 'idempotency_conflict' });
});

test('is not held without memory either', async () => {
  const room = { held: 999, limit: 1_000 };
  const { recording, useless } = record({ room });
  recording.begin(head, false);
  await recording.push(Buffer.from('1'));
  expect(recording.kept).toBe(true);
  recording.firstReaderLeaves();
  await recording.push(Buffer.from('2'));
  expect([recording.kept, useless()]).toEqual([false, 1]);
});

test('reports an error after everything that came before it', async () => {
  const { recording } = record();
  recording.begin(head, true);
  await recording.push(Buffer.from('a'));
  recording.end(new GatewayError('stream_truncated', 'It broke off.'));
  const reader = recording.read(0);
  expect(Buffer.from((await reader.next()).value ?? []).toString()).toBe('a');
  await expect(reader.next()).rejects.toThrow('It broke off.');
});

test('fills the silence of a stream with comments, which do not count as events', async () => {
  const { recording } = record({ keepAliveMs: 1 });
  recording.begin(head, true);
  const reader = recording.read(0);
  expect(Buffer.from((await reader.next()).value ?? []).toString()).toBe(': keep-alive\n\n');
  await recording.push(Buffer.from('a'));
  recording.end();
  expect((await textOf(reader)).replaceAll(': keep-alive\n\n', '')).toBe('a');
});

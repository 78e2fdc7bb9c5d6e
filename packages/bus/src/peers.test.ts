import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { decodeFrame, FrameKind } from './frame.ts';
import { Peers, type PeerStream } from './peers.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

function opened() {
  const sent: unknown[] = [];
  const missed: string[] = [];
  const peers = new Peers({
    own: 'me',
    connected: () => true,
    send(peer, bytes) {
      const frame = decodeFrame(bytes);
      sent.push([peer, frame?.kind, frame?.sequence]);
    },
    onMissed: (peer) => void missed.push(peer),
  });
  const refreshed: string[] = [];
  const stream = (name: string): PeerStream => ({
    lost: () => undefined,
    recover: () => undefined,
    refresh: () => void refreshed.push(name),
    settle: () => undefined,
  });
  return { peers, sent, missed, refreshed, stream };
}

test('a count that differs refreshes the streams of that instance, and reports the loss to it', () => {
  const { peers, sent, missed, refreshed, stream } = opened();
  peers.join('a', stream('of a'));
  peers.join('b', stream('of b'));
  peers.received('a');
  peers.reported('a', 1);
  expect([sent, missed, refreshed]).toEqual([[], [], []]);
  peers.reported('a', 2);
  peers.reported('a', 2);
  expect([sent, missed, refreshed]).toEqual([[['a', FrameKind.missed, 0]], ['a'], ['of a']]);
  peers.close();
});

test('the last frames to an instance without a stream are counted three times, then nothing is sent', () => {
  const { peers, sent } = opened();
  peers.sent('a');
  vi.advanceTimersByTime(60_000);
  expect(sent).toEqual(Array.from({ length: 3 }, () => ['a', FrameKind.pong, 1]));
  expect(vi.getTimerCount()).toBe(0);
});

test('after a reconnection, all known instances learn that frames to us may be lost', () => {
  const { peers, sent } = opened();
  peers.received('a');
  vi.advanceTimersByTime(3_600_000);
  peers.received('b');
  peers.reconnected();
  expect(sent).toEqual([
    ['a', FrameKind.missed, 0],
    ['b', FrameKind.missed, 0],
  ]);
  peers.close();
});

test('counts of 16,384 instances are kept; beyond it the oldest one without a stream is forgotten', () => {
  const { peers, missed, stream } = opened();
  peers.join('first', stream('first'));
  for (let index = 0; index < 16_383; index++) peers.received(`${index}`);
  peers.reported('0', 1);
  expect(missed).toEqual([]);
  peers.received('one more');
  peers.received('0');
  peers.reported('0', 2);
  peers.reported('2', 1);
  expect(missed).toEqual(['0']);
  peers.close();
});

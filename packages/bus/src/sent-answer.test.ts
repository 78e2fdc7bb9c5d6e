import { expect, test } from 'vitest';
import { controlFrame, cancelFrame, decodeFrame, FrameKind } from './frame.ts';
import { SentAnswer } from './sent-answer.ts';
import { inboxSubject } from './subject.ts';

const requester = inboxSubject('edge', 'q1');
const frames = [0, 1, 2].map((sequence) => Buffer.alloc(10, sequence));

function opened() {
  const sent: unknown[] = [];
  const unheard: string[] = [];
  const peers = { unheard: (id: string) => void unheard.push(id) };
  const mover = { publish: (...parts: unknown[]) => void sent.push(parts) };
  const answer = new SentAnswer({ mover, peers }, { requester, replyTo: 'to us' }, { from: 0, frames });
  const accept = (bytes: Uint8Array): void => {
    const frame = decodeFrame(bytes);
    if (frame !== undefined) answer.accept(frame);
  };
  return { answer, accept, sent, unheard };
}

const published = (sequence: number) => [requester, frames[sequence], 'to us'];

test('frames are sent again from the requested one on, without those that were acknowledged', () => {
  const { answer, accept, sent } = opened();
  accept(controlFrame(FrameKind.resend, 1));
  expect(sent.splice(0)).toEqual([published(1), published(2)]);
  accept(controlFrame(FrameKind.acknowledge, 2));
  expect(answer.keptBytes).toBe(10);
  accept(controlFrame(FrameKind.resend, 0));
  expect(sent).toEqual([published(2)]);
});

test('only the last frame is repeated, until it is acknowledged', () => {
  const { answer, accept, sent } = opened();
  answer.repeatEnd();
  expect([answer.requester, sent.splice(0)]).toEqual(['edge', [published(2)]]);
  accept(controlFrame(FrameKind.acknowledge, 3));
  answer.repeatEnd();
  expect(sent).toEqual([]);
});

test('a requester that cancels gets nothing again', () => {
  const { answer, accept, sent } = opened();
  accept(cancelFrame());
  accept(controlFrame(FrameKind.resend, 0));
  expect([sent, answer.keptBytes]).toEqual([[], 0]);
});

test('a requester without a listener is reported', () => {
  const { answer, unheard } = opened();
  answer.unheard();
  expect(unheard).toEqual(['edge']);
});

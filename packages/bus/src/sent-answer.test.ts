import { expect, test } from 'vitest';
import { controlFrame, cancelFrame, decodeFrame, FrameKind } from './frame.ts';
import { SentAnswer } from './sent-answer.ts';
import { inboxSubject } from './subject.ts';

const requester = inboxSubject('edge', 'q1');
const frames = [0, 1, 2].map((sequence) => Buffer.alloc(10, sequence));

function opened() {
  const sent: unknown[] = [];
  const heard: string[] = [];
  const peers = { heard: (id: string) => void heard.push(id), unheard: (id: string) => void heard.push(`not ${id}`) };
  const mover = { publish: (...parts: unknown[]) => void sent.push(parts) };
  const answer = new SentAnswer({ mover, peers }, { requester, replyTo: 'to us' }, { from: 0, frames });
  const accept = (bytes: Uint8Array): void => {
    const frame = decodeFrame(bytes);
    if (frame !== undefined) answer.accept(frame);
  };
  return { answer, accept, sent, heard };
}

const published = (sequence: number) => [requester, frames[sequence], 'to us'];

test('frames are sent again from the requested one on, without those that were acknowledged', () => {
  const { answer, accept, sent, heard } = opened();
  accept(controlFrame(FrameKind.resend, 1));
  expect(sent.splice(0)).toEqual([published(1), published(2)]);
  accept(controlFrame(FrameKind.acknowledge, 2));
  expect(answer.keptBytes).toBe(10);
  accept(controlFrame(FrameKind.resend, 0));
  expect(sent).toEqual([published(2)]);
  expect(heard).toEqual(['edge', 'edge', 'edge']);
});

test('a requester that cancels gets nothing again', () => {
  const { answer, accept, sent } = opened();
  accept(cancelFrame());
  accept(controlFrame(FrameKind.resend, 0));
  expect([sent, answer.keptBytes]).toEqual([[], 0]);
});

test('a requester without a listener is reported', () => {
  const { answer, heard } = opened();
  answer.unheard();
  expect(heard).toEqual(['not edge']);
});

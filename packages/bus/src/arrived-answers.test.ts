import { expect, test } from 'vitest';
import { ArrivedAnswers, arrivedTokens } from './arrived-answers.ts';
import { controlFrame, decodeFrame, encodeFrame, FrameKind } from './frame.ts';
import { frameLink } from './frame-link.ts';
import { inProcessJournals } from './in-process-journals.ts';
import type { MessageHandler, Mover } from './mover.ts';
import { inboxSubject, inboxWildcard, livenessToken, requesterToken } from './subject.ts';

const subjectOf = (replica: string, count: number) => inboxSubject(replica, `s${count}`);

test('sixteen answers of a replica share a report, which has those of the other replicas too', () => {
  const reports: unknown[] = [];
  const arrived = new ArrivedAnswers({
    id: 'edge',
    publish: (subject, bytes) => reports.push([subject, arrivedTokens(decodeFrame(bytes)!.payload)]),
  });
  arrived.add('b', subjectOf('b', 100));
  for (let count = 0; count < 15; count++) arrived.add('a', subjectOf('a', count));
  expect(arrived.isDue).toBe(false);
  arrived.add('a', subjectOf('a', 15));
  expect(arrived.isDue).toBe(true);
  arrived.run();
  expect([reports, arrived.isDue]).toEqual([
    [
      [inboxSubject('b', livenessToken('edge')), ['s100']],
      [inboxSubject('a', livenessToken('edge')), Array.from({ length: 16 }, (_, count) => `s${count}`)],
    ],
    false,
  ]);
  arrived.run();
  expect(reports).toHaveLength(2);
});

/** A link that answers requests, and the frames that it sends, by subject. */
async function answering() {
  const sent: { subject: string; kind: number | undefined; reply: string | undefined }[] = [];
  let receive: MessageHandler = () => undefined;
  let request: MessageHandler = () => undefined;
  const mover: Mover = {
    id: 'chat',
    gatherMs: 0,
    publish: (subject, bytes, reply) => void sent.push({ subject, kind: decodeFrame(bytes)?.kind, reply }),
    subscribe(subject, handler) {
      if (subject === inboxWildcard('chat')) receive = handler;
      return () => undefined;
    },
    async serve({ endpoints }) {
      request = endpoints[0]!.handler;
      return { stop: async () => undefined };
    },
    connected: () => true,
    onReconnect: () => undefined,
    close: async () => undefined,
  };
  const link = frameLink(mover, inProcessJournals());
  const handler = async () => ({ head: { status: 200, headers: {} }, body: Buffer.from('answer') });
  await link.listen({ service: 'chat', version: '1.0.0', handlers: { go: handler } });
  const message = (payload: Uint8Array) => ({ subject: '', reply: '', payload, unheard: false });
  return {
    link,
    sent,
    request: (payload: Uint8Array, reply: string) => request({ ...message(payload), reply }),
    receive: (subject: string, payload: Uint8Array) => receive({ ...message(payload), subject, reply: 'requester' }),
  };
}

test('an answer can be requested again until its requester reports that it has arrived', async () => {
  const { link, sent, request, receive } = await answering();
  const requester = inboxSubject('edge', requesterToken());
  const head = JSON.stringify({ requestId: 'r', timeoutMs: 10_000, headers: {} });
  request(encodeFrame({ kind: FrameKind.request, last: true, sequence: 0, head, chunks: [] }), requester);
  await expect.poll(() => sent).toHaveLength(1);
  const exchange = sent[0]!.reply!;
  receive(exchange, controlFrame(FrameKind.resend));
  const arrived = new ArrivedAnswers({
    id: 'edge',
    publish: (subject, bytes) => receive(subject, bytes),
  });
  arrived.add('chat', exchange);
  arrived.run();
  receive(exchange, controlFrame(FrameKind.resend));
  expect(sent.map(({ subject, kind }) => [subject, kind])).toEqual([
    [requester, FrameKind.head],
    [requester, FrameKind.head],
    ['requester', FrameKind.error],
  ]);
  await link.close();
});

import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { frameLink } from './frame-link.ts';
import { inProcessJournals } from './in-process-journals.ts';
import { inProcessMovers } from './in-process.ts';
import type { ExchangeHandler, Link } from './link.ts';
import { linkSuite } from './link.suite.ts';
import { natsLink } from './nats.ts';
import { withOwnProcess } from './own-process.ts';
import { operationSubject } from './subject.ts';

const url = process.env.TEST_NATS_URL ?? '';
const ok = { status: 200, headers: {} };
const bytes = (text: string): Uint8Array => Buffer.from(text);

linkSuite('one process over NATS', async () => {
  const link = await natsLink({ url, name: 'both' });
  return { client: link, server: link, close: () => link.close() };
});

describe('a process that serves what it asks for, beside another replica', () => {
  let own: Link;
  let other: Link;
  let count = 0;
  beforeAll(async () => {
    [own, other] = await Promise.all([natsLink({ url, name: 'own' }), natsLink({ url, name: 'other' })]);
    return () => Promise.all([own.close(), other.close()]);
  });

  async function serveAtBoth(handler: ExchangeHandler, maxConcurrent: number) {
    const service = `own${count++}`;
    const listen = (link: Link, name: string) =>
      link.listen({
        service,
        version: '1.0.0',
        handlers: {
          go: async (request) => {
            await handler(request);
            return { head: ok, body: bytes(name) };
          },
        },
        options: { maxConcurrent },
      });
    const [listener] = await Promise.all([listen(own, 'own'), listen(other, 'other')]);
    async function ask(body: Uint8Array | AsyncIterable<Uint8Array> = bytes('x'), link = own): Promise<string> {
      const head = { requestId: 'r1', timeoutMs: 10_000, headers: {} };
      const answer = await link.open(operationSubject(service, 'go'), { head, body });
      return Buffer.from(await answer.body.bytes()).toString();
    }
    return { ask, listener };
  }

  const nothing: ExchangeHandler = async () => ({ head: ok, body: bytes('') });

  test('answers by itself', async () => {
    const { ask } = await serveAtBoth(nothing, 10);
    const answers = await Promise.all(Array.from({ length: 10 }, () => ask()));
    expect(new Set(answers)).toEqual(new Set(['own']));
  });

  test('leaves to the other one what it has no room for, also bodies that arrive over time', async () => {
    const { promise: held, resolve: release } = Promise.withResolvers<undefined>();
    let begun = 0;
    const { ask } = await serveAtBoth(async () => {
      if (begun++ === 0) await held;
      return { head: ok, body: bytes('') };
    }, 1);
    const first = ask();
    await expect.poll(() => begun).toBe(1);
    async function* slowly() {
      yield bytes('a');
      yield bytes('b');
    }
    const next = [await ask()];
    // A queue that chose at random would choose this process for one of them.
    for (let streams = 0; streams < 12; streams++) next.push(await ask(slowly()));
    release(undefined);
    expect([await first, new Set(next)]).toEqual(['own', new Set(['other'])]);
    expect(await ask()).toBe('own');
  });

  test('leaves everything to the other one while it drains, and finishes what it has', async () => {
    const { promise: held, resolve: release } = Promise.withResolvers<undefined>();
    let begun = 0;
    const { ask, listener } = await serveAtBoth(async () => {
      if (begun++ === 0) await held;
      return { head: ok, body: bytes('') };
    }, 10);
    const first = ask();
    await expect.poll(() => begun).toBe(1);
    const drained = listener.drain(5_000);
    const next = [await ask(), await ask()];
    release(undefined);
    await drained;
    expect([await first, ...next, await ask()]).toEqual(['own', 'other', 'other', 'other']);
  });

  test('leaves requests of others to other replicas before it stops, and still answers its own', async () => {
    const { ask, listener } = await serveAtBoth(nothing, 100);
    const stranger = await natsLink({ url, name: 'stranger' });
    onTestFinished(() => stranger.close());
    const asked = (link: Link) => Promise.all(Array.from({ length: 20 }, () => ask(bytes('x'), link)));
    expect(new Set(await asked(stranger))).toEqual(new Set(['own', 'other']));
    await own.leave();
    expect([new Set(await asked(stranger)), new Set(await asked(own))]).toEqual([new Set(['other']), new Set(['own'])]);
    await listener.drain(5_000);
    expect(new Set(await asked(own))).toEqual(new Set(['other']));
  });
});

test('a process answers its own requests while the bus is away, and no others', async ({ onTestFinished }) => {
  let isAway = false;
  const movers = inProcessMovers();
  const bus = movers('a.own');
  const link = frameLink(
    withOwnProcess({
      ...bus,
      publish: (...message) => void (isAway || bus.publish(...message)),
      connected: () => !isAway,
    }),
    inProcessJournals(),
  );
  onTestFinished(() => link.close());
  await link.listen({
    service: 'here',
    version: '1.0.0',
    handlers: { go: async ({ body }) => ({ head: ok, body: await body.bytes() }) },
  });
  isAway = true;
  const head = { requestId: 'r1', timeoutMs: 10_000, headers: {} };
  const answer = await link.open(operationSubject('here', 'go'), { head, body: bytes('hello') });
  expect(Buffer.from(await answer.body.bytes()).toString()).toBe('hello');
  await expect(link.open(operationSubject('there', 'go'), { head, body: bytes('') })).rejects.toMatchObject({
    code: 'unavailable',
  });
});

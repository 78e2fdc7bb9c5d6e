import { setImmediate as nextTurn } from 'node:timers/promises';
import { GatewayError } from '@tallyport/contracts';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { controlFrame, decodeFrame, FrameKind } from './frame.ts';
import { frameLink } from './frame-link.ts';
import { inProcessJournals } from './in-process-journals.ts';
import { inProcessMovers } from './in-process.ts';
import type { Body, ExchangeHandler, Link } from './link.ts';
import type { Mover } from './mover.ts';
import { operationSubject } from './subject.ts';

/** Time is simulated, so that every frame of every exchange can be lost in turn. */
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date', 'performance', 'setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] });
});
afterEach(() => {
  vi.useRealTimers();
});

const stepMs = 20;
const deadlineMs = 60_000;
const ok = { status: 200, headers: {} };
// Pause: how slowly one side works is part of each case.
const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => signal.addEventListener('abort', () => resolve()));

async function* pieces(count: number, everyMs: number): AsyncGenerator<Uint8Array> {
  for (let index = 0; index < count; index++) {
    if (everyMs > 0) await pause(everyMs);
    else await nextTurn();
    yield Buffer.from(`${index},`);
  }
}

interface Scenario {
  name: string;
  handler: ExchangeHandler;
  body?: () => Body;
  /** The caller leaves after this time. */
  leaveAfterMs?: number;
  readAfterMs?: number;
}

const scenarios: readonly Scenario[] = [
  { name: 'an answer in one frame', handler: async () => ({ head: ok, body: Buffer.from('answer') }) },
  {
    name: 'a late answer',
    async handler() {
      await pause(3_000);
      return { head: ok, body: Buffer.from('late') };
    },
  },
  {
    name: 'an error',
    async handler() {
      await pause(300);
      throw new GatewayError('invalid_parameters', 'Say more.');
    },
  },
  { name: 'a stream', handler: async () => ({ head: ok, body: pieces(6, 90) }) },
  { name: 'a slow stream', handler: async () => ({ head: ok, body: pieces(3, 1_700) }) },
  {
    name: 'a streamed request',
    handler: async ({ body }) => ({ head: ok, body: await body.bytes() }),
    body: () => pieces(5, 150),
  },
  {
    name: 'more than the credit in both directions',
    handler: async ({ body }) => ({ head: ok, body }),
    body: () => pieces(150, 0),
  },
  { name: 'a reader that begins late', handler: async () => ({ head: ok, body: pieces(140, 0) }), readAfterMs: 1_000 },
  {
    name: 'a caller that leaves before the answer',
    async handler({ signal }) {
      await aborted(signal);
      throw signal.reason;
    },
    leaveAfterMs: 700,
  },
  {
    name: 'a caller that leaves a stream',
    handler: async () => ({ head: ok, body: pieces(100, 400) }),
    leaveAfterMs: 1_500,
  },
];

interface Loss {
  from: 'client' | 'server';
  frame: number;
  /** All frames of both sides are lost for this time, as between two servers whose connection is cut. */
  cutMs: number;
}

interface Ended {
  result: string;
  /** When the caller and the replica were both done. */
  afterMs: number;
  lostAtMs: number | undefined;
}

function losing(mover: Mover, isLost: (frame: number) => boolean): Mover {
  let sent = 0;
  return { ...mover, publish: (...message) => void (isLost(sent++) || mover.publish(...message)) };
}

/** As sent by a version that does not count: no counts, and no report of lost frames. */
function older(mover: Mover): Mover {
  return {
    ...mover,
    publish(subject, payload, reply) {
      const frame = decodeFrame(payload);
      if (frame?.kind === FrameKind.missed) return;
      const isCount = frame?.kind === FrameKind.ping || frame?.kind === FrameKind.pong;
      mover.publish(subject, isCount ? controlFrame(frame.kind) : payload, reply);
    },
  };
}

interface Circumstances {
  loss?: Loss;
  /** Runs the older version. */
  older?: Loss['from'];
}

async function run(
  { handler, body, leaveAfterMs, readAfterMs }: Scenario,
  circumstances: Circumstances = {},
): Promise<Ended> {
  const { loss } = circumstances;
  const startedAt = performance.now();
  let lostAtMs: number | undefined;
  const mover = inProcessMovers();
  const open = (id: Loss['from']): Link => {
    const isLost = (frame: number): boolean => {
      const now = performance.now() - startedAt;
      if (loss?.from !== id || loss.frame !== frame) return now - (lostAtMs ?? -Infinity) < (loss?.cutMs ?? 0);
      lostAtMs = now;
      return true;
    };
    const losingMover = losing(mover(id), isLost);
    return frameLink(circumstances.older === id ? older(losingMover) : losingMover, inProcessJournals());
  };
  const [client, server] = [open('client'), open('server')];
  const listener = await server.listen({ service: 'lossy', version: '1.0.0', handlers: { go: handler } });
  const left = new AbortController();
  // Pause: the time at which the requester leaves is part of each case.
  if (leaveAfterMs !== undefined) setTimeout(() => left.abort(), leaveAfterMs);
  const request = {
    head: { requestId: 'r', timeoutMs: deadlineMs, headers: {} },
    body: body?.() ?? Buffer.from('question'),
    signal: left.signal,
  };
  async function ask(): Promise<string> {
    const response = await client.open(operationSubject('lossy', 'go'), request);
    if (readAfterMs !== undefined) await pause(readAfterMs);
    return Buffer.from(await response.body.bytes()).toString();
  }
  let result: string | undefined;
  void ask().then(
    (text) => (result = text),
    (error: { code: string }) => (result = error.code),
  );
  while (result === undefined || listener.active() > 0) await step();
  const afterMs = performance.now() - startedAt;
  await Promise.all([client.close(), server.close()]);
  return { result, afterMs, lostAtMs };
}

async function step(): Promise<void> {
  await vi.advanceTimersByTimeAsync(stepMs);
  for (let turn = 0; turn < 3; turn++) await nextTurn();
}

/** Loses each message of one side in turn, as many as the exchange has. */
async function loseEach(
  scenario: Scenario,
  { first, ...loss }: Omit<Loss, 'frame'> & { first: number },
): Promise<void> {
  const undisturbed = await run(scenario);
  const wrong: unknown[] = [];
  let frame = first;
  for (; ; frame++) {
    const { result, afterMs, lostAtMs } = await run(scenario, { loss: { ...loss, frame } });
    if (lostAtMs === undefined) break;
    const lateMs = afterMs - Math.max(lostAtMs, undisturbed.afterMs);
    if (result !== undisturbed.result || lateMs > 2_000) wrong.push({ frame, result, lateMs });
  }
  expect(wrong).toEqual([]);
  expect(frame).toBeGreaterThanOrEqual(first);
}

const isConfirmed = 1;

describe.each(scenarios)('$name', (scenario) => {
  test.each([0, 400])('arrives within two seconds, whichever frame of the replica is lost; cut for %i ms', (cutMs) =>
    loseEach(scenario, { from: 'server', first: 0, cutMs }),
  );

  test.each([0, 400])('ends within two seconds, whichever frame after its request is lost; cut for %i ms', (cutMs) =>
    loseEach(scenario, { from: 'client', first: isConfirmed, cutMs }),
  );

  test.each(['client', 'server'] as const)(
    'is the same beside an older version, which does not count: %s',
    async (older) => {
      const { result, afterMs } = await run(scenario, { older });
      const undisturbed = await run(scenario);
      expect({ result, afterMs }).toEqual({ result: undisturbed.result, afterMs: undisturbed.afterMs });
    },
  );
});

import { eventSlices } from '@tallyport/wire';
import { GatewayError } from '@tallyport/contracts';
import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { untilPasses } from '../../../../tests/support/probe.ts';
import type { ServedStream } from './chat-dispatch.ts';
import { type DispatchBench, startDispatchBench } from '../testing/dispatch-bench.ts';
import { patient } from '../../../../tests/support/patience.ts';

let bench: DispatchBench;
let first: string;
let second: string;

beforeAll(async () => {
  bench = await startDispatchBench({ maxFrameBytes: 64 * 1024, maxResponseBytes: 4 * 1024 * 1024 });
  [first = '', second = ''] = bench.providers;
});
afterEach(() => {
  bench.simulator.reset();
  bench.outcomes.length = 0;
});
afterAll(() => bench.close());

const breakFirst = (fault: string) => bench.simulator.faults.set({ provider: first, fault });

async function startStream(options: Parameters<DispatchBench['job']>[0] = {}, from = bench): Promise<ServedStream> {
  const stream = await from.dispatch.stream(from.job({ stream: true, ...options }));
  stream.render((chunk) => chunk);
  return stream;
}

async function textOf(stream: ServedStream): Promise<string> {
  const parts: Buffer[] = [];
  for (;;) {
    const events = await stream.read();
    if (events === undefined) return contentIn(Buffer.concat(parts).toString());
    parts.push(...events.flatMap(eventSlices));
  }
}

/** The text that the events of a stream add up to. */
const contentIn = (events: string): string =>
  events
    .split('\n\n')
    .filter((event) => event !== '')
    .map((event) => JSON.parse(event.slice('data: '.length)).choices[0]?.delta.content ?? '')
    .join('');

const failureOf = (promise: Promise<unknown>): Promise<GatewayError> =>
  promise.then(
    () => Promise.reject(new Error('It did not fail.')),
    (error: unknown) => (error instanceof GatewayError ? error : Promise.reject(error)),
  );

const record = (provider: string, changes: object = {}) => ({
  provider,
  model: 'sandbox-chat',
  status_code: 200,
  error_type: 'none',
  succeeded: true,
  duration_ms: expect.any(Number),
  ...changes,
});

test('an error of ours after a failed attempt is reported with that attempt', async () => {
  breakFirst('status:500');
  const job = bench.job();
  const [one, two, ...others] = job.plan.candidates;
  const unknown = two && { ...two, offer: { ...two.offer, providerId: 'not-there' } };
  const candidates = [one, unknown, ...others].filter((candidate) => candidate !== undefined);
  const error = await failureOf(bench.dispatch.complete({ ...job, plan: { ...job.plan, candidates } }));
  expect(error.code).toBe('internal_error');
  expect(bench.outcomes).toMatchObject([{ served: undefined, error: { code: 'internal_error' } }]);
  expect(bench.outcomes[0]?.attempts.map(({ provider }) => provider)).toEqual([first]);
});

describe('a successful answer', () => {
  test('is returned in one piece and reported in the outcome', async () => {
    const { completion, offer } = await bench.dispatch.complete(bench.job());
    expect(completion.choices[0]?.message.content).toContain(`simulated answer from ${first}`);
    expect(offer.providerId).toBe(first);
    expect(bench.outcomes).toEqual([
      {
        attempts: [record(first)],
        routes: [{ reason: 'score', score: expect.any(Number), startMs: expect.any(Number), connections: ['new'] }],
        served: offer,
        ownKey: false,
        usage: completion.usage,
        usageEstimated: false,
        skippedFrames: 0,
        images: 0,
        answer: { model: 'sandbox-chat', finishReasons: ['stop'] },
        firstContentMs: expect.any(Number),
        durationMs: expect.any(Number),
        endReason: 'done',
        error: undefined,
      },
    ]);
  });

  test('has the same text when streamed', async () => {
    const { completion } = await bench.dispatch.complete(bench.job());
    const stream = await startStream();
    expect(await textOf(stream)).toBe(completion.choices[0]?.message.content);
    expect(bench.outcomes[1]).toMatchObject({ endReason: 'done', usage: completion.usage, usageEstimated: false });
  });

  test('usage is always requested, and estimated if the provider reports none', async () => {
    breakFirst('no-usage');
    const text = await textOf(await startStream());
    expect(JSON.parse(bench.simulator.requests[0]?.body ?? '')).toMatchObject({
      stream_options: { include_usage: true },
    });
    expect(bench.outcomes[0]).toMatchObject({
      usageEstimated: true,
      usage: { prompt_tokens: 2, completion_tokens: Math.ceil(text.length / 4) },
    });
  });

  test('keeps the connection for the next request', async () => {
    const before = bench.simulator.connections.total;
    for (let count = 0; count < 5; count += 1) await textOf(await startStream());
    expect(bench.simulator.connections.total - before).toBeLessThanOrEqual(1);
  });
});

describe('the first content commits', () => {
  test('a fault before it moves the request to the next provider', async () => {
    breakFirst('cut-after-headers');
    expect(await textOf(await startStream())).toContain(second);
    expect(bench.outcomes[0]?.attempts).toEqual([
      record(first, { error_type: 'provider_truncated', succeeded: false }),
      record(second),
    ]);
  });

  test('the role alone is not content', async () => {
    breakFirst('cut:300');
    expect(await textOf(await startStream())).toContain(second);
  });

  test('a fault after it ends the stream: the client gets the content so far, then the error', async () => {
    breakFirst('cut:1200');
    const stream = await startStream();
    const events = (await stream.read()) ?? [];
    expect(contentIn(Buffer.concat(events.flatMap(eventSlices)).toString())).toMatch(/^This is/);
    const error = await failureOf(textOf(stream));
    expect(error).toMatchObject({ code: 'stream_truncated', status: 502, domain: 'provider' });
    expect(bench.simulator.requests.map(({ provider }) => provider)).toEqual([first]);
    expect(bench.outcomes).toMatchObject([
      {
        attempts: [record(first, { error_type: 'provider_truncated', succeeded: false })],
        usageEstimated: true,
        endReason: 'upstream_cut',
      },
    ]);
    expect(bench.outcomes[0]?.usage?.completion_tokens).toBeGreaterThan(0);
  });

  test('a stream that ends without a terminal event was cut off', async () => {
    breakFirst('error-mid-stream:3');
    const error = await failureOf(startStream().then(textOf));
    expect(error).toMatchObject({ code: 'upstream_error', domain: 'provider' });
  });
});

describe('silence', () => {
  /** Its providers have little time, so other tests use another one: on a busy machine all of them are late at times. */
  let hasty: DispatchBench;
  beforeAll(async () => {
    const timeouts = { firstByteMs: 150, plainFirstByteMs: 150, idleMs: 150, totalStreamMs: 2_000, totalPlainMs: 400 };
    hasty = await startDispatchBench({ timeouts });
  });
  afterEach(() => {
    hasty.simulator.reset();
    hasty.outcomes.length = 0;
  });
  afterAll(() => hasty.close());

  test.each([
    ['no answer at all', 'hang', {}, 'provider_timeout'],
    ['signs of life without content', 'heartbeat-only', { stream: true }, 'provider_timeout'],
    ['a whole answer that takes too long', 'drip:5', {}, 'provider_timeout'],
  ])('%s is a timeout', async (_name, fault, options, type) => {
    hasty.simulator.faults.set({ provider: first, fault });
    const job = hasty.job({ ...options, fallback: 'never' });
    const error = await failureOf(job.call.stream ? hasty.dispatch.stream(job) : hasty.dispatch.complete(job));
    expect(error).toMatchObject({ code: 'upstream_timeout', status: 504 });
    expect(error.attempts).toMatchObject([{ provider: first, kind: type }]);
    await hasty.simulator.waitFor(({ aborted }) => aborted.length === 1);
  });

  test("a slow reader is not the provider's silence", async () => {
    const impatient = await startDispatchBench({ timeouts: { idleMs: 150 } });
    onTestFinished(() => impatient.close());
    const stream = await startStream({}, impatient);
    await stream.read();
    await impatient.simulator.waitFor(({ requests }) => requests[0]?.outcome === 'answered');
    // Pause: the reader is slower than the silence that a provider may have.
    await new Promise((resolve) => setTimeout(resolve, 200));
    await textOf(stream);
    expect(impatient.outcomes).toMatchObject([{ endReason: 'done' }]);
  });

  test('a stream that never ends is aborted', async () => {
    const limited = await startDispatchBench({ timeouts: { totalStreamMs: 1_000 } });
    limited.simulator.faults.set({ fault: 'endless' });
    const stream = await limited.dispatch.stream(limited.job({ stream: true }));
    stream.render((chunk) => chunk);
    const drain = async () => {
      while ((await stream.read()) !== undefined);
    };
    expect(await failureOf(drain())).toMatchObject({ code: 'upstream_timeout' });
    expect(limited.outcomes).toMatchObject([{ endReason: 'max_duration' }]);
    await limited.simulator.waitFor(({ aborted }) => aborted.length === 1);
    await limited.close();
  });
});

describe('limits', () => {
  test('an event beyond the limit is a bad response', async () => {
    breakFirst('oversized-line:70000');
    expect(await textOf(await startStream())).toContain(second);
    expect(bench.outcomes[0]?.attempts[0]).toEqual(
      record(first, { error_type: 'provider_bad_response', succeeded: false }),
    );
  });

  test('a stream beyond the byte limit ends with an error', async () => {
    breakFirst('endless');
    const stream = await startStream();
    const drain = async () => {
      while ((await stream.read()) !== undefined);
    };
    expect(await failureOf(drain())).toMatchObject({ code: 'upstream_error' });
    await bench.simulator.waitFor(({ aborted }) => aborted.length === 1);
  });

  test('a client that does not read slows the provider down', async () => {
    breakFirst('endless');
    await startStream();
    const sent = () => bench.simulator.requests[0]?.bodyBytesSent ?? 0;
    let before = 0;
    // Sending stops only once the sockets' own buffers are full as well.
    const hasStopped = () => {
      const now = sent();
      const still = now > 256 * 1024 && now === before;
      before = now;
      expect(still).toBe(true);
    };
    await untilPasses(hasStopped);
    expect(sent()).toBeLessThan(16 * 1024 * 1024);
    expect(bench.simulator.requests[0]?.outcome).toBe('open');
  });
});

describe('a client that leaves', () => {
  test.each([
    ['while the answer is awaited', { stream: false }, 'hang'],
    ['while the first content is awaited', { stream: true }, 'heartbeat-only'],
  ])('%s: the upstream is closed at once', async (_name, options, fault) => {
    breakFirst(fault);
    const leaving = new AbortController();
    const job = bench.job({ ...options, signal: leaving.signal });
    const failing = failureOf(job.call.stream ? bench.dispatch.stream(job) : bench.dispatch.complete(job));
    await bench.simulator.waitFor(({ requests }) => requests.length === 1 && requests[0]?.body !== '');
    const leftAt = Date.now();
    leaving.abort();
    expect(await failing).toMatchObject({ code: 'client_closed_request' });
    const [aborted] = await bench.simulator.waitFor(({ aborted: all }) => all.length === 1 && all);
    expect((aborted?.endedAt ?? 0) - leftAt).toBeLessThan(patient(3_000));
    expect(bench.outcomes).toMatchObject([
      {
        endReason: 'client_gone',
        usage: { prompt_tokens: 2, completion_tokens: 0 },
        usageEstimated: true,
        served: { providerId: first },
      },
    ]);
    expect(bench.simulator.requests).toHaveLength(1);
  });

  test('in the middle of a stream: the outcome reports what was delivered', async () => {
    breakFirst('endless');
    const leaving = new AbortController();
    const stream = await startStream({ signal: leaving.signal });
    await stream.read();
    const leftAt = Date.now();
    leaving.abort(new GatewayError('client_closed_request', 'gone'));
    const [aborted] = await bench.simulator.waitFor(({ aborted: all }) => all.length === 1 && all);
    expect((aborted?.endedAt ?? 0) - leftAt).toBeLessThan(patient(3_000));
    expect(await failureOf(stream.read())).toMatchObject({ code: 'client_closed_request', message: 'gone' });
    expect(bench.outcomes).toMatchObject([
      { endReason: 'client_gone', usageEstimated: true, attempts: [{ error_type: 'caller_cancelled' }] },
    ]);
  });

  test('before the request: nothing is sent', async () => {
    const job = bench.job({ signal: AbortSignal.abort() });
    expect(await failureOf(bench.dispatch.complete(job))).toMatchObject({ code: 'client_closed_request' });
    expect(bench.simulator.requests).toEqual([]);
  });

  test('by cancelling the stream', async () => {
    breakFirst('endless');
    const stream = await startStream();
    await stream.read();
    stream.cancel();
    await bench.simulator.waitFor(({ aborted }) => aborted.length === 1);
    expect(bench.outcomes).toMatchObject([{ endReason: 'client_gone' }]);
  });
});

describe('connections', () => {
  test('with no listener: all fail, each with its reason', async () => {
    const closed = await startDispatchBench({ baseUrl: 'http://127.0.0.1:1' });
    const error = await failureOf(closed.dispatch.complete(closed.job()));
    expect(error).toMatchObject({ code: 'all_providers_failed', status: 502 });
    expect(error.attempts).toEqual(
      closed.providers.map((provider) => ({
        provider,
        model: 'sandbox-chat',
        status: null,
        kind: 'provider_connection_failed',
      })),
    );
    await closed.close();
  });
});

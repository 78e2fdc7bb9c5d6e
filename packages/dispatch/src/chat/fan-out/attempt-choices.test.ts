import { GatewayError } from '@tallyport/contracts';
import { type ChatProvider, createFold, findChatProvider } from '@tallyport/providers';
import { sandboxProviders, sharedModel, startSimulator, type Simulator } from '@tallyport/simulator';
import type { ChatChunk, ChatCompletion } from '@tallyport/wire';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { Attempt } from '../attempt.ts';
import { createImageFetcher } from '../../inline/image-fetcher.ts';
import { createImageInliner } from '../../inline/image-inliner.ts';
import { stopAttempt } from '../../attempts/open-request.ts';
import type { StreamEnding } from '../stream/chat-stream.ts';
import { offerOf } from '@tallyport/contracts/testing';
import { UpstreamFailure, createPools } from '@tallyport/outbound';
import { defaultTimeouts } from '../../attempts/timeouts.ts';
import { attemptPlainChoices, attemptStreamChoices } from './attempt-choices.ts';

const pools = createPools({ connectMs: 1_000 });
const images = createImageInliner(createImageFetcher());
let simulator: Simulator;
beforeAll(async () => {
  simulator = await startSimulator({ chunksPerSecond: 0 });
});
afterEach(() => simulator.reset());
afterAll(() => Promise.all([pools.close(), images.close(), simulator.close()]));

const id = sandboxProviders[0]?.id ?? '';

/** A provider that makes at most `maxChoices` choices in one call. */
function limited(maxChoices: number): ChatProvider {
  const provider = findChatProvider(id);
  if (provider === undefined) throw new Error(`There is no ${id}.`);
  return { ...provider, maxChoices };
}

function attemptAt(provider: ChatProvider, { n = 3, stream = false } = {}): Attempt {
  const chat = { request: { model: sharedModel, messages: [{ role: 'user' as const, content: 'Hi' }], n }, stream };
  const offer = offerOf(id, { modelName: sharedModel });
  const { origin } = new URL(simulator.url);
  return {
    equipment: { pools, images, timeouts: defaultTimeouts, maxResponseBytes: 1e6, maxFrameBytes: 1e6 },
    provider,
    target: { origin, pathPrefix: '', headers: {} },
    offer,
    chat,
    context: { call: chat, offer, completionId: 'chatcmpl-ours', created: 1 },
    signal: new AbortController().signal,
    status: null,
    call: undefined,
    stopped: undefined,
    accepted: { count: 0 },
    connections: [],
    bounds: { prompt: 1e6, completion: 1e6 },
  };
}

const sentChoices = (): unknown[] => simulator.requests.map(({ body }) => JSON.parse(body).n);
const indexes = ({ choices }: ChatCompletion): number[] => choices.map(({ index }) => index);

/** All chunks of a stream, and its outcome. */
async function streamed(attempt: Attempt): Promise<{ chunks: ChatChunk[]; ending: StreamEnding | undefined }> {
  const stream = await attemptStreamChoices(attempt);
  let ending: StreamEnding | undefined;
  stream.onEnd((told) => (ending = told));
  stream.render((chunk) => chunk);
  const chunks: ChatChunk[] = [];
  for (let events = await stream.read(); events !== undefined; events = await stream.read()) {
    chunks.push(...events.flatMap((event) => (event.kind === 'chunk' ? [event.chunk] : [])));
  }
  return { chunks, ending };
}

describe('not streamed', () => {
  test('makes one call if the provider makes all choices in one', async () => {
    const { completion } = await attemptPlainChoices(attemptAt(limited(3)));
    expect(indexes(completion)).toEqual([0, 1, 2]);
    expect(sentChoices()).toEqual([3]);
  });

  test('makes several calls otherwise, numbers the choices and sums the usage', async () => {
    const one = (await attemptPlainChoices(attemptAt(limited(1), { n: 1 }))).completion;
    simulator.reset();
    const attempt = attemptAt(limited(1));
    const { completion } = await attemptPlainChoices(attempt);
    expect(completion).toEqual({
      ...one,
      id: expect.any(String),
      created: expect.any(Number),
      choices: [0, 1, 2].map((index) => ({ ...one.choices[0], index })),
      usage: expect.objectContaining({
        prompt_tokens: 3 * (one.usage?.prompt_tokens ?? 0),
        completion_tokens: 3 * (one.usage?.completion_tokens ?? 0),
        total_tokens: 3 * (one.usage?.total_tokens ?? 0),
      }),
    });
    expect(sentChoices()).toEqual([undefined, undefined, undefined]);
    expect(attempt.status).toBe(200);
  });

  test('takes no more choices from a call than were requested of it', async () => {
    const { completion } = await attemptPlainChoices(attemptAt(limited(2), { n: 5 }));
    expect(indexes(completion)).toEqual([0, 1, 2, 3, 4]);
    expect(sentChoices().toSorted()).toEqual([2, 2, undefined]);
  });

  test('a failed call fails the request', async () => {
    simulator.faults.set({ provider: id, fault: 'status:503', times: 1 });
    const attempt = attemptAt(limited(1));
    await expect(attemptPlainChoices(attempt)).rejects.toMatchObject({ domain: 'provider' });
    expect(attempt.status).toBe(503);
  });

  test('a failed call aborts the others', async () => {
    simulator.faults.set({ provider: id, fault: 'hang', times: 2 });
    const broken = new GatewayError('upstream_error', 'cannot be read');
    const response = () => {
      throw broken;
    };
    await expect(attemptPlainChoices(attemptAt({ ...limited(1), response }))).rejects.toBe(broken);
    await simulator.waitFor(({ aborted }) => aborted.length === 2);
  });

  test('reports no usage if one call reports none', async () => {
    simulator.faults.set({ provider: id, fault: 'no-usage', times: 1 });
    expect((await attemptPlainChoices(attemptAt(limited(1)))).completion.usage).toBeUndefined();
  });
});

describe('streamed', () => {
  test('adds up to the answer that is not streamed', async () => {
    const plain = (await attemptPlainChoices(attemptAt(limited(1)))).completion;
    const { chunks, ending } = await streamed(attemptAt(limited(1), { stream: true }));
    const folded = createFold();
    for (const chunk of chunks) folded.add(chunk);
    expect(folded.completion()).toEqual({ ...plain, id: expect.any(String), created: expect.any(Number) });
    expect(new Set(chunks.map((chunk) => chunk.id)).size).toBe(1);
    expect(chunks.filter(({ usage }) => usage)).toHaveLength(1);
    const nothing = { failure: undefined, usageEstimated: false, skippedFrames: 0, images: 0 };
    const answer = { model: plain.model, finishReasons: plain.choices.map((choice) => choice.finish_reason) };
    expect(ending).toEqual({ ...nothing, usage: plain.usage, answer });
  });

  test('choices arrive as they are made, not one after the other', async () => {
    simulator.faults.set({ provider: id, fault: 'drip:10' });
    const { chunks } = await streamed(attemptAt(limited(1), { stream: true }));
    const order = chunks.flatMap(({ choices }) => choices.map(({ index }) => index));
    expect(order.lastIndexOf(0)).toBeGreaterThan(order.indexOf(2));
    expect(order.lastIndexOf(2)).toBeGreaterThan(order.indexOf(0));
  });

  test('a call that fails before its first content fails the attempt', async () => {
    simulator.faults.set({ provider: id, fault: 'status:503', times: 1 });
    const attempt = attemptAt(limited(1), { stream: true });
    await expect(attemptStreamChoices(attempt)).rejects.toMatchObject({ domain: 'provider' });
    await simulator.waitFor(({ requests }) => requests.every(({ outcome }) => outcome !== 'open'));
  });

  test('a call that breaks off later ends all of them, reported once', async () => {
    simulator.faults.set({ provider: id, fault: 'cut:1200', times: 1 });
    const stream = await attemptStreamChoices(attemptAt(limited(1), { stream: true }));
    const endings: StreamEnding[] = [];
    stream.onEnd((ending) => endings.push(ending));
    stream.render((chunk) => chunk);
    const readAll = async () => {
      while ((await stream.read()) !== undefined);
    };
    await expect(readAll()).rejects.toMatchObject({ code: 'stream_truncated' });
    expect(endings).toEqual([
      expect.objectContaining({ failure: expect.objectContaining({ type: 'provider_truncated' }) }),
    ]);
  });

  test('cancelling closes every connection', async () => {
    simulator.faults.set({ provider: id, fault: 'endless' });
    const attempt = attemptAt(limited(1), { stream: true });
    const stream = await attemptStreamChoices(attempt);
    const endings: StreamEnding[] = [];
    stream.onEnd((ending) => endings.push(ending));
    stream.render((chunk) => chunk);
    await stream.read();
    stream.cancel(new UpstreamFailure('left', 'was left'));
    await simulator.waitFor(({ aborted }) => aborted.length === 3);
    expect(endings).toEqual([
      expect.objectContaining({ failure: expect.objectContaining({ type: 'caller_cancelled' }) }),
    ]);
  });
});

test('stopping an attempt stops its calls', async () => {
  simulator.faults.set({ provider: id, fault: 'hang' });
  const attempt = attemptAt(limited(1));
  const asked = attemptPlainChoices(attempt);
  await simulator.waitFor(({ requests }) => requests.length === 3);
  stopAttempt(attempt, new UpstreamFailure('left', 'was left'));
  await expect(asked).rejects.toMatchObject({ kind: 'left' });
  await simulator.waitFor(({ aborted }) => aborted.length === 3);
});

import type { ServerResponse } from 'node:http';
import { eventSlices } from '@tallyport/wire';
import { GatewayError } from '@tallyport/contracts';
import { afterEach, describe, expect, test } from 'vitest';
import { type DispatchBench, startDispatchBench } from '../testing/dispatch-bench.ts';
import { endChunk, type ScriptedVendor, sseOf, startScriptedVendor, textChunk } from '../testing/scripted-vendor.ts';
import type { ServedStream } from './chat-dispatch.ts';

let vendor: ScriptedVendor;
let bench: DispatchBench;
afterEach(async () => {
  await bench.close();
  await vendor.close();
});

async function start(answer: (response: ServerResponse) => void): Promise<void> {
  vendor = await startScriptedVendor(answer);
  bench = await startDispatchBench({ baseUrl: vendor.url });
}

const usageOf = (prompt: number, completion: number, more: object = {}) => ({
  usage: { prompt_tokens: prompt, completion_tokens: completion, total_tokens: prompt + completion, ...more },
});
const begin = (response: ServerResponse): void => void response.writeHead(200, { 'content-type': 'text/event-stream' });

async function startStream(options: Parameters<DispatchBench['job']>[0] = {}): Promise<ServedStream> {
  const stream = await bench.dispatch.stream(bench.job({ stream: true, ...options }));
  stream.render((chunk) => chunk);
  return stream;
}

async function readUntil(stream: ServedStream, text: string): Promise<void> {
  for (let read = ''; !read.includes(text);)
    read += Buffer.concat(((await stream.read()) ?? []).flatMap(eventSlices)).toString();
}

const outcome = async () => {
  await expect.poll(() => bench.outcomes.length).toBe(1);
  return bench.outcomes[0];
};
const prompt = 'p'.repeat(400);

describe('a stream whose client leaves', () => {
  test('is billed for what was delivered if the vendor reported less', async () => {
    await start((response) => {
      begin(response);
      response.write(
        sseOf(textChunk('a'.repeat(4_000), usageOf(90, 1)), textChunk('b'.repeat(4_000)), textChunk('last')),
      );
    });
    const stream = await startStream({ content: prompt });
    await readUntil(stream, 'last');
    stream.cancel();
    expect(await outcome()).toMatchObject({
      usage: { prompt_tokens: 100, completion_tokens: 2_001, total_tokens: 2_101 },
      usageEstimated: true,
      endReason: 'client_gone',
    });
  });

  test('is billed for no more than was asked', async () => {
    await start((response) => {
      begin(response);
      response.write(
        sseOf(textChunk('a'.repeat(4_000), usageOf(90, 1)), textChunk('b'.repeat(4_000)), textChunk('last')),
      );
    });
    const stream = await startStream({ content: prompt, maxTokens: 10 });
    await readUntil(stream, 'last');
    stream.cancel();
    expect(await outcome()).toMatchObject({
      usage: { prompt_tokens: 100, completion_tokens: 10, total_tokens: 110 },
      usageEstimated: true,
    });
  });

  test('is billed as reported, class by class, if that is more than what was delivered', async () => {
    await start((response) => {
      begin(response);
      const thinking = { completion_tokens_details: { reasoning_tokens: 690 } };
      response.write(sseOf(textChunk('a'.repeat(40), usageOf(900, 700, thinking)), textChunk('last')));
    });
    const stream = await startStream({ content: prompt });
    await readUntil(stream, 'last');
    stream.cancel();
    expect(await outcome()).toMatchObject({
      usage: {
        prompt_tokens: 900,
        completion_tokens: 700,
        total_tokens: 1_600,
        completion_tokens_details: { reasoning_tokens: 690 },
      },
      usageEstimated: true,
    });
  });

  test('after its finish reason waits briefly for the usage of the vendor', async () => {
    let finish = (): void => undefined;
    await start((response) => {
      begin(response);
      response.write(sseOf(textChunk('Hello'), endChunk()));
      finish = () => void response.end(`${sseOf({ choices: [], ...usageOf(31, 7) })}data: [DONE]\n\n`);
    });
    const stream = await startStream();
    await readUntil(stream, '"stop"');
    stream.cancel();
    expect(bench.outcomes).toEqual([]);
    finish();
    expect(await outcome()).toMatchObject({
      usage: { prompt_tokens: 31, completion_tokens: 7 },
      usageEstimated: false,
      endReason: 'client_gone',
    });
  });

  test('after its finish reason is billed by an estimate if no usage arrives', async () => {
    await start((response) => {
      begin(response);
      response.write(sseOf(textChunk('a'.repeat(400)), endChunk()));
    });
    const stream = await startStream({ content: prompt });
    await readUntil(stream, '"stop"');
    stream.cancel();
    await expect(stream.read()).rejects.toMatchObject({ code: 'client_closed_request' });
    await expect.poll(() => bench.outcomes.length).toBe(1);
    expect(bench.outcomes[0]).toMatchObject({
      usage: { prompt_tokens: 100, completion_tokens: 100 },
      usageEstimated: true,
    });
  });

  test('counts the tools of the request and the images of the answer', async () => {
    await start((response) => {
      begin(response);
      const images = [{ type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } }];
      const chunk = { ...textChunk(''), choices: [{ index: 0, delta: { images }, finish_reason: null }] };
      response.write(sseOf(chunk, textChunk('last')));
    });
    const job = bench.job({ stream: true, content: prompt });
    const tool = { type: 'function' as const, function: { name: 'find', description: 'd'.repeat(4_000) } };
    job.call = { ...job.call, request: { ...job.call.request, tools: [tool] } };
    const stream = await bench.dispatch.stream(job);
    stream.render((chunk) => chunk);
    await readUntil(stream, 'last');
    stream.cancel();
    const { usage, images } = (await outcome()) ?? {};
    expect(images).toBe(1);
    expect(usage?.prompt_tokens).toBeGreaterThan(1_100);
    expect(usage?.completion_tokens_details).toEqual({ image_tokens: 2_000 });
    expect(usage?.completion_tokens).toBe(2_001);
  });
});

test('a stream that its vendor cuts off is billed for what was delivered', async () => {
  await start((response) => {
    begin(response);
    response.write(sseOf(textChunk('a'.repeat(4_000), usageOf(90, 1)), textChunk('last')), () => response.destroy());
  });
  const stream = await startStream({ content: prompt });
  await expect(readUntil(stream, 'never')).rejects.toMatchObject({ code: 'stream_truncated' });
  expect(await outcome()).toMatchObject({
    usage: { prompt_tokens: 100, completion_tokens: 1_001 },
    usageEstimated: true,
    endReason: 'upstream_cut',
  });
});

describe('a request whose client leaves before the first content', () => {
  /** Resolves once the vendor has the request. */
  const received = () => expect.poll(() => vendor.bodies.length).toBeGreaterThan(0);

  test.each([
    ['as a stream', true],
    ['as a whole', false],
  ])('%s costs its prompt once the vendor has it', async (_name, stream) => {
    await start(() => undefined);
    const leaving = new AbortController();
    const job = bench.job({ stream, content: prompt, signal: leaving.signal });
    const answer = stream ? bench.dispatch.stream(job) : bench.dispatch.complete(job);
    const failing = answer.catch((thrown: unknown) => thrown);
    await received();
    leaving.abort();
    expect(await failing).toMatchObject({ code: 'client_closed_request' });
    expect(await outcome()).toMatchObject({
      served: { providerId: bench.providers[0] },
      usage: { prompt_tokens: 100, completion_tokens: 0, total_tokens: 100 },
      usageEstimated: true,
      endReason: 'client_gone',
      attempts: [{ error_type: 'caller_cancelled' }],
    });
  });

  test('costs what the vendor had reported by then', async () => {
    await start((response) => {
      begin(response);
      response.write(sseOf({ ...textChunk(''), ...usageOf(250, 0) }));
      // More than sockets hold: once all of it is gone, everything before it has been read.
      for (let count = 0; count < 16; count++) response.write(`: ${'-'.repeat(1_000_000)}\n\n`);
      response.write(': end\n\n', () => (isRead = true));
    });
    let isRead = false;
    const leaving = new AbortController();
    const answer = bench.dispatch.stream(bench.job({ stream: true, content: prompt, signal: leaving.signal }));
    const failing = answer.catch((thrown: unknown) => thrown);
    await expect.poll(() => isRead).toBe(true);
    leaving.abort();
    expect(await failing).toMatchObject({ code: 'client_closed_request' });
    expect(await outcome()).toMatchObject({ usage: { prompt_tokens: 250, completion_tokens: 0 } });
  });

  test('costs nothing if it never reached a vendor', async () => {
    await start(() => undefined);
    const answer = bench.dispatch.complete(bench.job({ content: prompt, signal: AbortSignal.abort() }));
    await expect(answer).rejects.toMatchObject({ code: 'client_closed_request' });
    expect(await outcome()).toMatchObject({ served: undefined, usage: undefined });
    expect(vendor.bodies).toEqual([]);
  });

  test('costs nothing if the service aborted it', async () => {
    await start(() => undefined);
    const leaving = new AbortController();
    const answer = bench.dispatch.complete(bench.job({ content: prompt, signal: leaving.signal }));
    const failing = answer.catch((thrown: unknown) => thrown);
    await received();
    leaving.abort(new GatewayError('unavailable', 'This replica stops.'));
    expect(await failing).toMatchObject({ code: 'unavailable' });
    expect(await outcome()).toMatchObject({ served: undefined, usage: undefined });
  });
});

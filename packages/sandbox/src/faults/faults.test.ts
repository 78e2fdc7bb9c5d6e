import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startSandbox } from '../sandbox.ts';
import type { Simulator } from '../simulation.ts';
import { folded } from '../testing/folded.ts';
import { ask, dataOf, type Observed } from '../testing/raw-client.ts';
import { faultKinds } from './registry.ts';

let simulator: Simulator;
let goodStream: Observed;
let goodJson: Observed;

const chat = { model: 'sandbox-chat', messages: [{ role: 'user', content: 'Grüße 🌍' }] };
const tools = [{ type: 'function', function: { name: 'f', parameters: { properties: { q: {} }, required: ['q'] } } }];

interface Asked {
  stream?: boolean;
  leaveAfterMs?: number;
  leaveAfterBytes?: number;
  members?: object;
}

function strike(fault: string | undefined, { stream = true, members = {}, ...leave }: Asked = {}): Promise<Observed> {
  const body = { ...chat, ...(stream && { stream, stream_options: { include_usage: true } }), ...members };
  const headers: Record<string, string> = fault === undefined ? {} : { 'x-sim-fault': fault };
  return ask({ url: `${simulator.url}/sandbox-a/v1/chat/completions`, body, headers, ...leave });
}

beforeAll(async () => {
  simulator = await startSandbox({ chunksPerSecond: 0 });
  goodStream = await strike(undefined);
  goodJson = await strike(undefined, { stream: false });
});
afterAll(() => simulator.close());

describe('each fault, observed by a raw client', () => {
  test('status', async () => {
    const limited = await strike('status:429;retry-after=2;retry-after-ms=1500');
    expect([limited.status, limited.headers['retry-after'], limited.headers['retry-after-ms']]).toEqual([
      429,
      '2',
      '1500',
    ]);
    expect(JSON.parse(limited.text)).toMatchObject({
      error: { type: 'requests', code: 'rate_limit_exceeded', param: null },
    });
    const quota = await strike('status:429;code=insufficient_quota');
    expect(JSON.parse(quota.text)).toMatchObject({ error: { type: 'insufficient_quota', code: 'insufficient_quota' } });
    expect(quota.headers['retry-after']).toBeUndefined();
    const page = await strike('status:503;body=html');
    expect([page.status, page.headers['content-type'], page.text.slice(0, 6)]).toEqual([503, 'text/html', '<html>']);
  });

  test('hang', async () => {
    const result = await strike('hang', { leaveAfterMs: 60 });
    expect([result.status, result.ending]).toEqual([undefined, 'left']);
    await simulator.waitFor(() => simulator.aborted.some(({ fault }) => fault === 'hang'));
  });

  test('reset', async () => {
    expect(await strike('reset')).toMatchObject({ status: undefined, ending: 'reset' });
  });

  test('slow-first-byte', async () => {
    const result = await strike('slow-first-byte:80');
    expect(result.headMs).toBeGreaterThanOrEqual(78);
    expect(result.text).toBe(goodStream.text);
  });

  test('drip', async () => {
    const result = await strike('drip:4', { members: { max_tokens: 10 } });
    const events = dataOf(result.text).length;
    expect(result.endMs).toBeGreaterThanOrEqual((events - 1) * 4 - 4);
    expect(result.chunks).toBeGreaterThan(events / 2);
    const whole = await strike('drip:1', { stream: false, leaveAfterBytes: 30 });
    expect(whole.endMs).toBeGreaterThanOrEqual(26);
    expect(goodJson.text.startsWith(whole.text)).toBe(true);
  });

  test('cut', async () => {
    for (const bytes of [0, 1, 100, 999]) {
      const result = await strike(`cut:${bytes}`);
      expect([result.status, result.ending]).toEqual([200, 'cut']);
      expect(result.body).toEqual(goodStream.body.subarray(0, bytes));
    }
    const whole = await strike('cut:50', { stream: false });
    expect([whole.ending, whole.text]).toEqual(['cut', goodJson.text.slice(0, 50)]);
    const beyond = await strike('cut:99999999');
    expect([beyond.ending, beyond.text]).toEqual(['cut', goodStream.text]);
  });

  test('cut-after-headers', async () => {
    for (const stream of [true, false])
      expect(await strike('cut-after-headers', { stream })).toMatchObject({ status: 200, text: '', ending: 'cut' });
  });

  test('malformed-line', async () => {
    const notJson = (text: string) =>
      dataOf(text).flatMap((data, index) => (isJson(data) || data === '[DONE]' ? [] : [index]));
    expect(notJson((await strike('malformed-line')).text)).toEqual([1]);
    expect(notJson((await strike('malformed-line:5')).text)).toEqual([5]);
    const late = await strike('malformed-line:100000');
    expect(notJson(late.text)).toEqual([dataOf(late.text).length - 2]);
    const whole = await strike('malformed-line', { stream: false });
    expect([whole.ending, isJson(whole.text)]).toEqual(['end', false]);
  });

  test('error-in-200', async () => {
    const stream = await strike('error-in-200');
    expect([stream.status, stream.headers['content-type']]).toEqual([200, 'text/event-stream; charset=utf-8']);
    expect(dataOf(stream.text).map((data) => JSON.parse(data))).toEqual([{ error: expect.anything() }]);
    for (const result of [await strike('error-in-200;body=json'), await strike('error-in-200', { stream: false })]) {
      expect([result.status, result.headers['content-type']]).toEqual([200, 'application/json']);
      expect(JSON.parse(result.text)).toMatchObject({ error: { type: 'server_error' } });
    }
  });

  test('error-mid-stream', async () => {
    const data = dataOf((await strike('error-mid-stream:5')).text);
    expect(data.slice(0, 5)).toEqual(dataOf(goodStream.text).slice(0, 5));
    expect(data.slice(5).map((last) => JSON.parse(last))).toEqual([{ error: expect.anything() }]);
    expect((await strike('error-mid-stream', { stream: false })).text).toBe(goodJson.text);
  });

  test('endless', async () => {
    const stream = await strike('endless', { leaveAfterBytes: 2_000_000 });
    expect([stream.ending, stream.text.includes('[DONE]')]).toEqual(['left', false]);
    expect((await strike('endless', { stream: false, leaveAfterBytes: 2_000_000 })).ending).toBe('left');
  });

  test('gzip', async () => {
    const result = await strike('gzip');
    expect(result.headers['content-encoding']).toBe('gzip');
    expect(gunzipSync(result.body).toString()).toBe(goodStream.text);
  });

  test('gzip-mislabelled', async () => {
    const result = await strike('gzip-mislabelled', { stream: false });
    expect([result.headers['content-encoding'], result.text]).toEqual(['gzip', goodJson.text]);
  });

  test('no-done', async () => {
    expect((await strike('no-done')).text).toBe(goodStream.text.replace('data: [DONE]\n\n', ''));
  });

  test('no-usage', async () => {
    const events = goodStream.text.split('\n\n');
    expect((await strike('no-usage')).text).toBe(events.toSpliced(-3, 1).join('\n\n'));
    const { usage: _, ...rest } = JSON.parse(goodJson.text);
    expect(JSON.parse((await strike('no-usage', { stream: false })).text)).toEqual(rest);
  });

  test('comments', async () => {
    const result = await strike('comments');
    expect(result.text.match(/^: heartbeat$/gm)).toHaveLength(dataOf(goodStream.text).length);
    expect(dataOf(result.text)).toEqual(dataOf(goodStream.text));
  });

  test('heartbeat-only', async () => {
    const result = await strike('heartbeat-only', { leaveAfterBytes: 36 });
    expect([result.status, result.text]).toEqual([200, ': heartbeat\n\n'.repeat(3)]);
    expect((await strike('heartbeat-only', { stream: false, leaveAfterBytes: 3 })).text).toBe('   ');
  });

  test('crlf', async () => {
    expect((await strike('crlf')).text).toBe(goodStream.text.replaceAll('\n', '\r\n'));
  });

  test('byte-wise', async () => {
    const result = await strike('byte-wise', { members: { max_tokens: 5 } });
    expect(result.chunks).toBeGreaterThan(result.body.length / 3);
    expect(folded(result.text).choices[0]?.content).toBe('This is a simulated ');
  });

  test('oversized-line', async () => {
    const lines = (await strike('oversized-line:1000000')).text.split('\n');
    expect(lines.filter((line) => line.length > 1_000_000)).toHaveLength(1);
    const whole = JSON.parse((await strike('oversized-line:1000', { stream: false })).text);
    expect(whole).toEqual({ padding: 'x'.repeat(1000), ...JSON.parse(goodJson.text) });
  });

  test('tool-calls', async () => {
    const messages = [{ role: 'user', content: 'two in parallel' }];
    const calls = async (spelling: string, stream = true) => {
      const { text } = await strike(`tool-calls:${spelling}`, { stream, members: { messages, tools } });
      const documents = stream ? dataOf(text).filter(isJson) : [text];
      return documents.flatMap((data) => {
        const choice = JSON.parse(data).choices[0];
        return (choice?.delta ?? choice?.message)?.tool_calls ?? [];
      });
    };
    const whole = { type: 'function', function: { name: 'f', arguments: '{"q":"simulated q"}' } };
    expect(await calls('whole')).toEqual([0, 1].map((index) => ({ index, id: expect.any(String), ...whole })));
    expect(await calls('missing-id', false)).toEqual([whole, whole]);
    expect((await calls('missing-id')).some((call) => 'id' in call)).toBe(false);
    expect(new Set((await calls('index-from-one')).map((call) => call.index))).toEqual(new Set([1, 2]));
  });

  test('unknown-event', async () => {
    const events = dataOf((await strike('unknown-event:2')).text);
    const future = { type: 'future_event', future: { level: 1 } };
    expect(JSON.parse(events[2] ?? '')).toEqual(future);
    expect(events.toSpliced(2, 1)).toEqual(dataOf(goodStream.text));
    const whole = await strike('unknown-event', { stream: false });
    expect(JSON.parse(whole.text)).toEqual({ future, ...JSON.parse(goodJson.text) });
  });

  test('wrong-usage', async () => {
    const counts = { prompt_tokens: 1e15, completion_tokens: 1e15, total_tokens: 1e15 };
    const whole = JSON.parse((await strike('wrong-usage', { stream: false })).text);
    expect(whole).toEqual({ ...JSON.parse(goodJson.text), usage: expect.objectContaining(counts) });
    const last = dataOf((await strike('wrong-usage')).text).at(-2) ?? '';
    expect(JSON.parse(last).usage).toMatchObject(counts);
  });

  test('tests every fault', () => {
    const struck = new Set(simulator.requests.map(({ fault }) => fault?.split(/[:;]/, 1)[0]));
    expect(faultKinds.map(({ name }) => name).filter((name) => !struck.has(name))).toEqual([]);
  });
});

test('combines faults', async () => {
  const result = await strike('slow-first-byte:40, crlf, byte-wise, cut:64');
  expect(result.headMs).toBeGreaterThanOrEqual(38);
  expect([result.ending, result.text]).toEqual(['cut', goodStream.text.replaceAll('\n', '\r\n').slice(0, 64)]);
});

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

import type { ServerResponse } from 'node:http';
import type { Usage } from '@tallyport/wire';
import { afterEach, describe, expect, test } from 'vitest';
import { type DispatchBench, startDispatchBench } from '../testing/dispatch-bench.ts';
import { endChunk, type ScriptedVendor, sseOf, startScriptedVendor, textChunk } from '../testing/scripted-vendor.ts';

let vendor: ScriptedVendor;
let bench: DispatchBench;
afterEach(async () => {
  await bench.close();
  await vendor.close();
});

async function start(usage: object): Promise<void> {
  const message = { role: 'assistant', content: 'Hello you' };
  const whole = { choices: [{ index: 0, message, finish_reason: 'stop' }], usage };
  const stream = `${sseOf(textChunk('Hello you'), endChunk(), { choices: [], usage })}data: [DONE]\n\n`;
  vendor = await startScriptedVendor((response: ServerResponse) => {
    const isStream = JSON.parse(vendor.bodies.at(-1) ?? '').stream === true;
    response.setHeader('content-type', isStream ? 'text/event-stream' : 'application/json');
    response.end(isStream ? stream : JSON.stringify(whole));
  });
  bench = await startDispatchBench({ baseUrl: vendor.url });
}

/** The usage that the client receives. */
async function told(isStream: boolean): Promise<object | undefined> {
  if (!isStream) {
    const { usage } = (await bench.dispatch.complete(bench.job())).completion;
    return usage && countsOf(usage);
  }
  const stream = await bench.dispatch.stream(bench.job({ stream: true }));
  const events: { usage?: object }[] = [];
  stream.render((chunk) => {
    events.push(chunk);
    return chunk;
  });
  while ((await stream.read()) !== undefined);
  return events.at(-1)?.usage;
}

const countsOf = ({ prompt_tokens, completion_tokens, total_tokens }: Usage) => ({
  prompt_tokens,
  completion_tokens,
  total_tokens,
});

describe.each([
  ['in one piece', false],
  ['streamed', true],
])('usage that cannot be true, %s', (_name, isStream) => {
  test('is capped at what the model can have used, for the client and the ledger', async () => {
    await start({ prompt_tokens: 1e300, completion_tokens: 1e300, total_tokens: 1e300 });
    const usage = { prompt_tokens: 10_000_000, completion_tokens: 1_000_000, total_tokens: 11_000_000 };
    expect(await told(isStream)).toEqual(usage);
    expect(bench.outcomes).toMatchObject([{ usage, usageEstimated: false, usageAdjusted: true }]);
  });

  test('is estimated if it is not a number', async () => {
    await start({ prompt_tokens: 'many', completion_tokens: '12', total_tokens: 4 });
    const usage = { prompt_tokens: 2, completion_tokens: 3, total_tokens: 5 };
    expect(await told(isStream)).toEqual(usage);
    expect(bench.outcomes).toMatchObject([{ usage, usageEstimated: true }]);
  });
});

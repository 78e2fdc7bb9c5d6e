import { eventSlices, type NativeRequest } from '@tallyport/wire';
import { describe, expect, test } from 'vitest';
import { startDispatchBench } from '../../testing/dispatch-bench.ts';
import { startScriptedVendor } from '../../testing/scripted-vendor.ts';

const requestOf = (dialect: NativeRequest['dialect'], body: string): NativeRequest => ({
  dialect,
  body: Buffer.from(body),
  members: JSON.parse(body),
  headers: {},
  model: 'ours',
  limit: 99,
  isUntranslatable: true,
});

const eventOf = (type: string, members: object = {}): string =>
  `event: ${type}\ndata: ${JSON.stringify({ type, ...members })}\n\n`;

const response = { id: 'resp_1', model: 'vendor-model', status: 'in_progress', output: [] };

/** By provider: a request of its API, events without anything of the answer, and one that no chat has. */
const apis = {
  anthropic: {
    native: requestOf('anthropic-messages', '{"model":"ours","max_tokens":99,"messages":[]}'),
    opening: [
      eventOf('message_start', { message: { model: 'vendor-model', usage: { input_tokens: 3, output_tokens: 1 } } }),
      eventOf('ping'),
      eventOf('content_block_start', {
        index: 0,
        content_block: { type: 'server_tool_use', id: 's', name: 'web_search' },
      }),
    ],
    unknown: eventOf('content_block_delta', { index: 0, delta: { type: 'future_delta' } }),
  },
  openai: {
    native: requestOf('openai-responses', '{"model":"ours","max_output_tokens":99,"store":false,"input":[]}'),
    opening: [
      eventOf('response.created', { sequence_number: 0, response }),
      eventOf('response.in_progress', { sequence_number: 1, response }),
      eventOf('keepalive', { sequence_number: 2 }),
      eventOf('response.output_item.added', { sequence_number: 3, output_index: 0, item: { id: 'x', type: 'future' } }),
    ],
    unknown: eventOf('response.future.progress', { sequence_number: 4, item_id: 'x' }),
  },
};

interface Script {
  provider: keyof typeof apis;
  events: readonly string[];
  after: 'waits' | 'breaks';
}

/** The stream of a vendor that sends these events and then either waits or closes the connection. */
async function streamed({ provider, events, after }: Script) {
  const vendor = await startScriptedVendor((answer) => {
    answer.setHeader('content-type', 'text/event-stream');
    answer.write(events.join(''), () => {
      if (after === 'breaks') answer.destroy();
    });
  });
  const bench = await startDispatchBench({
    providers: [provider],
    access: () => ({ keys: ['k'], baseUrl: vendor.url }),
  });
  const close = () => Promise.all([bench.close(), vendor.close()]);
  const { native } = apis[provider];
  return { pending: bench.dispatch.stream({ ...bench.job({ stream: true }), native }), bench, vendor, close };
}

describe.each(['anthropic', 'openai'] as const)('%s', (provider) => {
  const { native, opening, unknown } = apis[provider];

  test('an event that no chat has commits the attempt, and is passed on with those before it', async () => {
    const events = [...opening, unknown];
    const { pending, bench, vendor, close } = await streamed({ provider, events, after: 'waits' });
    const stream = await pending;
    stream.render(() => undefined);
    const passed = (await stream.read()) ?? [];
    expect(Buffer.concat(passed.flatMap(eventSlices)).toString()).toBe(
      events.join('').replaceAll('vendor-model', 'ours'),
    );
    expect(vendor.bodies).toEqual([native.body.toString().replace('ours', 'sandbox-chat')]);
    stream.cancel();
    expect(bench.outcomes).toMatchObject([{ endReason: 'client_gone', usageEstimated: true, skippedFrames: 0 }]);
    await close();
  });

  test('openings and keep-alives do not commit it', async () => {
    const { pending, bench, close } = await streamed({ provider, events: opening, after: 'breaks' });
    await expect(pending).rejects.toMatchObject({ code: 'all_providers_failed' });
    expect(bench.outcomes).toMatchObject([{ served: undefined, attempts: [{ error_type: 'provider_truncated' }] }]);
    await close();
  });
});

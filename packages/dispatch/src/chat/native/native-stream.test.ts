import type { NativeRequest } from '@switchyard/wire';
import { expect, test } from 'vitest';
import { startDispatchBench } from '../../testing/dispatch-bench.ts';
import { startScriptedVendor } from '../../testing/scripted-vendor.ts';

const body = '{"model":"ours","max_tokens":9,"messages":[]}';
const native: NativeRequest = {
  dialect: 'anthropic-messages',
  body: Buffer.from(body),
  members: JSON.parse(body),
  headers: {},
  model: 'ours',
  limit: 9,
  isUntranslatable: true,
};

const eventOf = (type: string, members: object = {}): string =>
  `event: ${type}\ndata: ${JSON.stringify({ type, ...members })}\n\n`;
const opening = [
  eventOf('message_start', { message: { model: 'vendor-model', usage: { input_tokens: 3, output_tokens: 1 } } }),
  eventOf('ping'),
  eventOf('content_block_start', { index: 0, content_block: { type: 'server_tool_use', id: 's', name: 'web_search' } }),
];

/** The stream of an Anthropic that sends these events and then either waits or closes the connection. */
async function streamed(events: readonly string[], after: 'waits' | 'breaks') {
  const vendor = await startScriptedVendor((response) => {
    response.setHeader('content-type', 'text/event-stream');
    response.write(events.join(''), () => {
      if (after === 'breaks') response.destroy();
    });
  });
  const bench = await startDispatchBench({
    providers: ['anthropic'],
    access: () => ({ keys: ['k'], baseUrl: vendor.url }),
  });
  const close = () => Promise.all([bench.close(), vendor.close()]);
  return { pending: bench.dispatch.stream({ ...bench.job({ stream: true }), native }), bench, vendor, close };
}

test('an event that no chat has commits the attempt, and is passed on with those before it', async () => {
  const events = [...opening, eventOf('content_block_delta', { index: 0, delta: { type: 'future_delta' } })];
  const { pending, bench, vendor, close } = await streamed(events, 'waits');
  const stream = await pending;
  stream.render(() => undefined);
  const text = Buffer.from((await stream.read()) ?? []).toString();
  expect(text.replaceAll('event: passed:', 'event: ')).toBe(events.join('').replace('vendor-model', 'ours'));
  expect(vendor.bodies).toEqual([body.replace('ours', 'sandbox-chat')]);
  stream.cancel();
  expect(bench.outcomes).toMatchObject([{ endReason: 'client_gone', usageEstimated: true, skippedFrames: 0 }]);
  await close();
});

test('openings and keep-alives do not commit it', async () => {
  const { pending, bench, close } = await streamed(opening, 'breaks');
  await expect(pending).rejects.toMatchObject({ code: 'all_providers_failed' });
  expect(bench.outcomes).toMatchObject([{ served: undefined, attempts: [{ error_type: 'provider_truncated' }] }]);
  await close();
});

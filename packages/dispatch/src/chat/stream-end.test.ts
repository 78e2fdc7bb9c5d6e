import { expect, test } from 'vitest';
import { startDispatchBench } from '../testing/dispatch-bench.ts';
import { endChunk, sseOf, startScriptedVendor, textChunk } from '../testing/scripted-vendor.ts';

test.each([
  ['with a blank line', '\n\n'],
  ['with the line alone', '\n'],
  ['without a line end', ''],
])('a vendor that reports no usage and ends %s: the estimate is sent once', async (_name, lineEnd) => {
  const vendor = await startScriptedVendor((response) => {
    response.setHeader('content-type', 'text/event-stream');
    response.end(`${sseOf(textChunk('Hello you'), endChunk())}data: [DONE]${lineEnd}`);
  });
  const bench = await startDispatchBench({ baseUrl: vendor.url });
  const stream = await bench.dispatch.stream(bench.job({ stream: true }));
  const usages: unknown[] = [];
  stream.render((chunk) => {
    if (chunk.usage) usages.push(chunk.usage);
    return chunk;
  });
  while ((await stream.read()) !== undefined);
  expect(usages).toEqual([expect.objectContaining({ completion_tokens: 3 })]);
  await bench.close();
  await vendor.close();
});

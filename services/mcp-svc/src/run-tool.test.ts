import { createMetrics, silentLog } from '@tallyport/service-kit';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { mcpEvents } from './events.ts';
import { runTool } from './run-tool.ts';
import { defineTool, type Progress, readOnly } from './tool.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] }));
afterEach(() => void vi.useRealTimers());

test('reports progress at once and every ten seconds, increasing, until the call ends', async () => {
  const end = Promise.withResolvers<void>();
  const tool = defineTool({
    name: 'slow',
    title: 'Slow',
    description: '',
    scope: 'mcp:tools',
    annotations: readOnly,
    input: z.object({}),
    async call() {
      await end.promise;
      return { content: [] };
    },
  });
  const caller = { principal: { accountId: 'a', keyId: 'k' }, limits: {}, requestId: 'r', traceparent: undefined };
  const context = { caller, signal: new AbortController().signal };
  const reported: [number, string][] = [];
  const onProgress = ({ progress, message = '' }: Progress) => void reported.push([progress, message]);
  const events = mcpEvents({ log: silentLog(), metrics: createMetrics({ defaults: false }) }, ['slow']);

  const running = runTool({ tool, input: {}, context, onProgress }, events);
  expect(reported).toEqual([[1, 'Slow: started']]);
  vi.advanceTimersByTime(25_000);
  end.resolve();
  expect(await running).toEqual({ content: [] });
  vi.advanceTimersByTime(60_000);
  expect(reported).toEqual([
    [1, 'Slow: started'],
    [2, 'Slow: running for 10 s'],
    [3, 'Slow: running for 20 s'],
  ]);
});

import { GatewayError } from '@tallyport/contracts';
import { createMetrics } from '@tallyport/service-kit';
import { expect, test } from 'vitest';
import { untilPasses } from '../../../../tests/support/probe.ts';
import { openShadows } from './shadows.ts';

test('a shadow whose bytes would not fit is dropped, and another one fits once they are released', async () => {
  const metrics = createMetrics({ defaults: false });
  const metering = { reserve: () => Promise.reject(new TypeError('Nothing is reserved.')) };
  const shadows = openShadows({ metering, metrics, mostBytes: 150 });
  const planning: PromiseWithResolvers<never>[] = [];
  const start = (bytes: number): void =>
    shadows.start({
      head: { requestId: 'req_test', timeoutMs: 60_000, headers: {} },
      bytes,
      plan() {
        const plan = Promise.withResolvers<never>();
        planning.push(plan);
        return plan.promise;
      },
    });
  const counted = async () => /_requests_total\{result="dropped"\} (\d+)/.exec(await metrics.text())?.[1];

  start(30);
  start(20);
  start(1);
  await untilPasses(() => expect(planning).toHaveLength(2));
  expect(await counted()).toBe('1');
  planning[0]?.reject(new GatewayError('unsupported_capability', 'It cannot serve the request.'));
  await untilPasses(async () => expect(await metrics.text()).toContain('{result="refused"} 1'));
  start(30);
  start(1);
  await untilPasses(() => expect(planning).toHaveLength(3));
  expect(await counted()).toBe('2');
  for (const plan of planning) plan.reject(new GatewayError('unavailable', 'The test is over.'));
  await shadows.stop();
  start(1);
  expect(await counted()).toBe('3');
});

import { startOneProcess } from '../../tests/gateway/one-process.ts';
import type { Options } from '../options.ts';
import type { System } from '../system.ts';
import { environmentFor } from './gateway.ts';

/** The program of `npm start`: all services in one process, with an embedded database and no servers. */
export async function startOneProcessGateway(upstreamPort: number, { model }: Options): Promise<System> {
  const { child, baseUrl, apiKey, stop } = await startOneProcess(environmentFor(upstreamPort));
  return {
    name: 'one process',
    port: Number(new URL(baseUrl).port),
    model,
    headers: { authorization: `Bearer ${apiKey}`, 'x-no-cache': 'true' },
    pids: { 'one process': child.pid ?? 0 },
    besidePids: {},
    async stop() {
      await stop();
    },
  };
}

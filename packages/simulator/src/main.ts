import { parseArgs } from 'node:util';
import { startSimulator } from './simulator.ts';

const { values } = parseArgs({
  options: {
    port: { type: 'string', default: '0' },
    host: { type: 'string', default: '127.0.0.1' },
    seed: { type: 'string', default: '1' },
    'chunks-per-second': { type: 'string', default: '30' },
    'api-key': { type: 'string', multiple: true, default: [] },
  },
});

const simulator = await startSimulator({
  port: Number(values.port),
  host: values.host,
  seed: Number(values.seed),
  chunksPerSecond: Number(values['chunks-per-second']),
  apiKeys: values['api-key'],
});

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void simulator.close());

process.stdout.write(`${JSON.stringify({ url: simulator.url })}\n`);

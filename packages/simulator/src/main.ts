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

function number(flag: 'port' | 'seed' | 'chunks-per-second'): number {
  if (/^\d{1,9}$/.test(values[flag])) return Number(values[flag]);
  process.stderr.write(`--${flag} must be a whole number, not '${values[flag]}'.\n`);
  process.exit(2);
}

const simulator = await startSimulator({
  port: number('port'),
  host: values.host,
  seed: number('seed'),
  chunksPerSecond: number('chunks-per-second'),
  apiKeys: values['api-key'],
});

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void simulator.close());

// Whoever started us waits for this line.
process.stdout.write(`${JSON.stringify({ url: simulator.url })}\n`);

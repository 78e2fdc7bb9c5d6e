import { parseArgs } from 'node:util';
import type { SimulationOptions, Simulator } from './simulation.ts';

/** Starts simulated providers from command-line flags, prints their URL, and stops them on a signal. */
export async function runSimulator(start: (options: SimulationOptions) => Promise<Simulator>): Promise<void> {
  const { values } = parseArgs({
    options: {
      port: { type: 'string', default: '0' },
      host: { type: 'string', default: '127.0.0.1' },
      seed: { type: 'string', default: '1' },
      'chunks-per-second': { type: 'string', default: '30' },
      'control-host': { type: 'string', multiple: true, default: [] },
      'api-key': { type: 'string', multiple: true, default: [] },
    },
  });
  const simulator = await start({
    port: wholeFlag('port', values.port),
    host: values.host,
    seed: wholeFlag('seed', values.seed),
    chunksPerSecond: wholeFlag('chunks-per-second', values['chunks-per-second']),
    apiKeys: values['api-key'],
    controlHosts: values['control-host'],
  });
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void simulator.close());
  // The parent process waits for this line.
  process.stdout.write(`${JSON.stringify({ url: simulator.url })}\n`);
}

function wholeFlag(flag: string, text: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text);
  process.stderr.write(`--${flag} must be a whole number, not '${text}'.\n`);
  process.exit(2);
}

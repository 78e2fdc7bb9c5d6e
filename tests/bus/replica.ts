import { type ExchangeAnswer, type IncomingExchange, natsLink } from '@switchyard/bus';

/** A service of its own process for the bus tests: `node replica.ts <nats url> <max concurrent>`. */
const [url = '', maxConcurrent = '1000000'] = process.argv.slice(2);
const link = await natsLink({ url, name: 'replica' });
const listener = await link.listen({
  service: 'replica',
  version: '1.0.0',
  handlers: { count, hold, who },
  options: { maxConcurrent: Number(maxConcurrent) },
});
process.on('SIGTERM', async () => {
  await listener.drain(5_000);
  await link.close();
  process.exit(0);
});
process.stdout.write('ready\n');

/** Numbered lines, at a pace: `count=200&everyMs=5&bytes=20`. */
async function count({ head }: IncomingExchange): Promise<ExchangeAnswer> {
  const query = new URLSearchParams(head.query);
  const everyMs = Number(query.get('everyMs') ?? 0);
  const padding = '.'.repeat(Number(query.get('bytes') ?? 0));
  async function* lines(): AsyncGenerator<Uint8Array> {
    for (let index = 0; index < Number(query.get('count')); index++) {
      if (everyMs > 0) await new Promise((resolve) => setTimeout(resolve, everyMs));
      yield Buffer.from(`${index}${padding}\n`);
    }
  }
  return { head: { status: 200, headers: { pid: String(process.pid) } }, body: lines() };
}

/** Answers only when the caller leaves. */
async function hold({ signal }: IncomingExchange): Promise<ExchangeAnswer> {
  await new Promise((resolve) => signal.addEventListener('abort', resolve));
  return who();
}

async function who(): Promise<ExchangeAnswer> {
  const { rss } = process.memoryUsage();
  const state = { pid: process.pid, active: listener.active(), rss };
  return { head: { status: 200, headers: {} }, body: Buffer.from(JSON.stringify(state)) };
}

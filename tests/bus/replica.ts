import { appendFileSync, existsSync, writeFileSync } from 'node:fs';
import type { ExchangeAnswer, IncomingExchange } from '@tallyport/bus';
import { natsLink } from '@tallyport/bus/nats';

/** A service in a separate process for the bus tests: `node replica.ts <nats url> <max concurrent>`. */
const [url = '', maxConcurrent = '1000000'] = process.argv.slice(2);
// Requests may arrive while `listen` is awaited.
const noted: string[] = [];
const link = await natsLink({ url, name: 'replica' });
const listener = await link.listen({
  service: 'replica',
  version: '1.0.0',
  handlers: { begun, charge, count, freeze, hold, note, pay, who },
  options: { maxConcurrent: Number(maxConcurrent) },
});
process.on('SIGTERM', async () => {
  await listener.drain(5_000);
  await link.close();
  process.exit(0);
});
process.stdout.write('ready\n');

/** Streams numbered lines at a given pace: `count=200&everyMs=5&bytes=20`. */
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

/** Answers only after the caller aborted. */
async function hold({ signal }: IncomingExchange): Promise<ExchangeAnswer> {
  await new Promise((resolve) => signal.addEventListener('abort', resolve));
  const { code = '' } = signal.reason ?? {};
  process.stdout.write(`aborted: ${code}\n`);
  return who();
}

/** Records that it started the request named in the query. */
async function note({ head: { query = '' } }: IncomingExchange): Promise<ExchangeAnswer> {
  noted.push(query);
  return { head: { status: 200, headers: { pid: String(process.pid) } }, body: Buffer.from(query) };
}

/**
 * Like `note`, but first checks that the caller still waits, as requests that cost money do. Takes longer than a `freeze`
 * that was sent after it needs to arrive.
 */
async function pay(exchange: IncomingExchange): Promise<ExchangeAnswer> {
  await new Promise((resolve) => setTimeout(resolve, 50));
  await exchange.stillWanted?.();
  if (!exchange.signal.aborted) return note(exchange);
  const { name, code } = exchange.signal.reason;
  process.stdout.write(`not paid: ${name} ${code}\n`);
  return who();
}

/**
 * Adds a line to a file, in the place of a provider that bills it. The first replica is killed at the named point:
 * `id=1&bill=/a/file&dies=taken`.
 */
async function charge({ head, confirm }: IncomingExchange): Promise<ExchangeAnswer> {
  const query = new URLSearchParams(head.query);
  const bill = query.get('bill') ?? '';
  const died = `${bill}.${query.get('id')}`;
  function dieAt(point: string): void {
    if (query.get('dies') !== point || existsSync(died)) return;
    writeFileSync(died, '');
    process.kill(process.pid, 'SIGKILL');
  }
  dieAt('taken');
  await confirm?.();
  dieAt('confirmed');
  appendFileSync(bill, `${query.get('id')}\n`);
  dieAt('charged');
  return who();
}

/** Blocks the event loop of the process with this `pid` until a file exists: `pid=1&until=/a/file`. */
async function freeze({ head }: IncomingExchange): Promise<ExchangeAnswer> {
  const query = new URLSearchParams(head.query);
  const sleeping = new Int32Array(new SharedArrayBuffer(4));
  // The requester repeats the request at another replica, which must not freeze, too.
  if (query.get('pid') !== String(process.pid)) return who();
  while (!existsSync(query.get('until') ?? '')) Atomics.wait(sleeping, 0, 0, 5);
  return who();
}

async function begun(): Promise<ExchangeAnswer> {
  return { head: { status: 200, headers: {} }, body: Buffer.from(JSON.stringify(noted)) };
}

async function who(): Promise<ExchangeAnswer> {
  const { rss } = process.memoryUsage();
  const state = { pid: process.pid, active: listener.active(), rss };
  return { head: { status: 200, headers: {} }, body: Buffer.from(JSON.stringify(state)) };
}

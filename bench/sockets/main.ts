import { setTimeout as pause } from 'node:timers/promises';
import { namesOf } from '@tallyport/contracts';
import { startGateway } from '../gateway/gateway.ts';
import { sum } from '../measure/cpu.ts';
import { describeMachine } from '../measure/machine.ts';
import { privateKib } from '../measure/memory.ts';
import { median } from '../measure/stats.ts';
import { parseOptions } from '../options.ts';
import { printMeasure } from '../support/print-measure.ts';
import { createUndo } from '../support/undo.ts';
import { startUpstream } from '../upstream/upstream.ts';
import { type Caller, httpCaller, openSockets, socketCaller, type Times } from './callers.ts';

// `node bench/sockets/main.ts`: what a request of `/v1/responses` takes on an open socket and over HTTP, and the memory of idle
// sockets. --quick makes a short run, not for quoting.

const options = parseOptions(process.argv.slice(2));
const [rounds, perRound, idleSockets] = options.quick ? [2, 100, 500] : [9, 200, 5_000];
/** A vendor without a Responses API: its chats become events of that API. */
const model = 'deepseek/deepseek-v4-flash';
const input = 'Describe the quick brown fox, and the things it saw when it looked back over its shoulder.'.repeat(9);

const betweenMs = 5;

const undo = createUndo();
process.once('SIGINT', () => void undo.all().finally(() => process.exit(130)));

try {
  const upstream = await startUpstream();
  undo.add(upstream.stop);
  await upstream.setMode({ kind: 'stream', chunks: 20, intervalMs: 0 });
  const vendor = `http://127.0.0.1:${upstream.port}/v1`;
  const gateway = await startGateway(upstream.port, options, {
    environment: {
      DEEPSEEK_API_KEY: 'bench',
      DEEPSEEK_BASE_URL: vendor,
      // Two more have been open since the latency was measured.
      MAX_SOCKETS_PER_KEY: String(idleSockets + 2),
      LIMIT_MODELS_PER_MINUTE: '0',
    },
  });
  undo.add(gateway.stop);
  const base = `http://127.0.0.1:${gateway.port}`;
  await latency(base, vendor, gateway.headers);
  await memory(base, gateway);
  console.log(`\n${JSON.stringify(describeMachine())}`);
} finally {
  await undo.all();
}

/** One request at a time, in turns, so that a noisy moment affects all of them. */
async function latency(base: string, vendor: string, headers: Record<string, string>): Promise<void> {
  const messages = [{ role: 'user', content: input }];
  const callers = {
    direct: httpCaller(`${vendor}/chat/completions`, { headers, body: { model, messages, stream: true } }),
    http: httpCaller(`${base}/v1/responses`, { headers, body: { model, input, store: false, stream: true } }),
    socket: await socketCaller(base, { headers, event: { type: 'response.create', model, input, store: false } }),
  };
  const long = await longTurns(base, headers);
  const all = { ...callers, ...long };
  for (const caller of Object.values(all)) undo.add(async () => caller.close());
  const took = Object.fromEntries(namesOf(all).map((name) => [name, [] as Times[]]));
  for (const caller of Object.values(all)) await callOften(caller, perRound / 5);
  for (let round = 0; round < rounds; round += 1) {
    for (const name of namesOf(all)) took[name]?.push(await callOften(all[name], perRound));
  }
  const added = (name: string, part: keyof Times) =>
    median((took[name] ?? []).map((times, round) => times[part] - (took['direct']?.[round]?.[part] ?? Number.NaN)));
  for (const [title, http, socket] of [
    ['a short request', 'http', 'socket'],
    ['a turn after 200 KB', 'longHttp', 'longSocket'],
  ] as const) {
    for (const part of ['first', 'end'] as const) {
      const until = part === 'first' ? 'first event' : 'end';
      printMeasure(`${title}, ${until}: added over HTTP, p50`, `${added(http, part).toFixed(2)} ms`);
      const share = 1 - added(socket, part) / added(http, part);
      printMeasure('on an open socket', `${added(socket, part).toFixed(2)} ms`);
      printMeasure('less than over HTTP', `${(share * 100).toFixed(0)} %`, '≥ 30 %', share >= 0.3);
    }
  }
}

/** The next turn of a long conversation that is not stored: over HTTP with all of it, on a socket with what is new. */
async function longTurns(base: string, headers: Record<string, string>) {
  const said = Array.from({ length: 100 }, (_, at) => ({
    role: at % 2 === 0 ? 'user' : 'assistant',
    content: `${at}: ${input}${input}`,
  }));
  const next = { role: 'user', content: 'Go on.' };
  const body = { model, store: false };
  const prepare = { type: 'response.create', ...body, input: said, generate: false };
  const longSocket = await socketCaller(base, {
    headers,
    event: { type: 'response.create', ...body, input: [next] },
    first: prepare,
  });
  return {
    longHttp: httpCaller(`${base}/v1/responses`, { headers, body: { ...body, input: [...said, next], stream: true } }),
    longSocket,
  };
}

/** The medians of the times of so many calls, one after the other: fewer than a socket may send in a second. */
async function callOften({ call }: Caller, count: number): Promise<Times> {
  const times: Times[] = [];
  for (let done = 0; done < count; done += 1) {
    times.push(await call());
    await pause(betweenMs);
  }
  return { first: median(times.map(({ first }) => first)), end: median(times.map(({ end }) => end)) };
}

async function memory(base: string, { headers, pids }: Awaited<ReturnType<typeof startGateway>>): Promise<void> {
  await pause(3_000);
  const before = sum(privateKib(pids));
  const held = await openSockets(base, { headers, count: idleSockets });
  await pause(5_000);
  const kib = (sum(privateKib(pids)) - before) / idleSockets;
  printMeasure(
    `${idleSockets} idle sockets, memory of all services each`,
    `${kib.toFixed(1)} KiB`,
    '≤ 25 KiB',
    kib <= 25,
  );
  held.close();
}

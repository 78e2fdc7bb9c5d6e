import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { WebSocket } from 'ws';
import { startGateway } from '../gateway/gateway.ts';
import { describeMachine } from '../measure/machine.ts';
import { createSamples } from '../measure/stats.ts';
import { parseOptions } from '../options.ts';
import { printMeasure } from '../support/print-measure.ts';
import { createUndo } from '../support/undo.ts';
import { ageOf, everyMs, stampedFrame } from './realtime-frames.ts';

// `node bench/sockets/realtime.ts`: realtime sessions with fifty messages a second in each direction, and how late a message of the
// vendor arrives, with the gateway and without it. --quick makes a short run, not for quoting.

const options = parseOptions(process.argv.slice(2));
const [sessions, forMs] = options.quick ? [20, 3_000] : [200, 30_000];
const settleMs = 2_000;
const path = '/realtime?model=gpt-realtime-2.1';

const undo = createUndo();
process.once('SIGINT', () => void undo.all().finally(() => process.exit(130)));

try {
  const vendor = fork(join(import.meta.dirname, 'realtime-vendor.ts'));
  undo.add(async () => void vendor.kill());
  const [port] = (await once(vendor, 'message')) as [number];
  const gateway = await startGateway(port, options, {
    environment: {
      OPENAI_API_KEY: 'bench',
      OPENAI_BASE_URL: `http://127.0.0.1:${port}/v1`,
      LIMIT_CHAT_PER_MINUTE: '0',
      LIMIT_CONCURRENT_REQUESTS: '0',
      LIMIT_MODELS_PER_MINUTE: '0',
    },
  });
  undo.add(gateway.stop);
  const direct = await lateness(`ws://127.0.0.1:${port}/v1${path}`, {});
  const through = await lateness(`ws://127.0.0.1:${gateway.port}/v1${path}`, gateway.headers);
  printMeasure(`${sessions} sessions without the gateway, p99`, `${direct.toFixed(2)} ms`);
  printMeasure(`${sessions} sessions, p99`, `${through.toFixed(2)} ms`, '≤ 10 ms', through <= 10);
  console.log(`\n${JSON.stringify(describeMachine())}`);
} finally {
  await undo.all();
}

/** The 99th percentile of how late messages of the vendor arrive, in milliseconds. */
async function lateness(url: string, headers: Record<string, string>): Promise<number> {
  const ages = createSamples();
  let isMeasuring = false;
  const sockets: WebSocket[] = [];
  const timers: NodeJS.Timeout[] = [];
  while (sockets.length < sessions) {
    const socket = new WebSocket(url, { headers, perMessageDeflate: false });
    socket.on('message', (data: Buffer) => {
      const age = isMeasuring ? ageOf(data) : undefined;
      if (age !== undefined) ages.add(age);
    });
    await once(socket, 'open');
    sockets.push(socket);
    timers.push(setInterval(() => socket.send(stampedFrame('input_audio_buffer.append', 'audio')), everyMs));
  }
  await pause(settleMs);
  isMeasuring = true;
  await pause(forMs);
  for (const timer of timers) clearInterval(timer);
  for (const socket of sockets) socket.terminate();
  const { count, p99 } = ages.quantiles();
  if (count < (sessions * forMs) / everyMs / 2) throw new Error(`Only ${count} messages arrived.`);
  return p99;
}

import { Agent, request } from 'node:http';
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { type Quantiles, quantilesOf } from '../measure/stats.ts';

export interface Target {
  url: string;
  /** Made for each request: what says who is calling is good for one. */
  headers(): Record<string, string>;
}

const list = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' });

export interface Load {
  latency: Quantiles;
  failed: number;
}

/** So many at once, each asking for the list of tools again as soon as it has it. */
export async function askClosed(
  target: Target,
  { concurrency, forMs }: { concurrency: number; forMs: number },
): Promise<Load> {
  const agent = new Agent({ keepAlive: true, maxSockets: concurrency });
  const until = performance.now() + forMs;
  const took: number[] = [];
  let failed = 0;
  const one = async (): Promise<void> => {
    while (performance.now() < until) {
      const startedAt = performance.now();
      if (await ask(target, agent)) took.push(performance.now() - startedAt);
      else failed++;
    }
  };
  await Promise.all(Array.from({ length: concurrency }, one));
  agent.destroy();
  return { latency: quantilesOf(Float64Array.from(took)), failed };
}

/** So many a second, whether or not earlier ones have their answer. */
export async function askSteadily(
  target: Target,
  { perSecond, forMs }: { perSecond: number; forMs: number },
): Promise<Load> {
  const agent = new Agent({ keepAlive: true });
  const took: number[] = [];
  const running: Promise<void>[] = [];
  let failed = 0;
  const one = async (): Promise<void> => {
    const startedAt = performance.now();
    if (await ask(target, agent)) took.push(performance.now() - startedAt);
    else failed++;
  };
  const total = (perSecond * forMs) / 1000;
  const beganAt = performance.now();
  await new Promise<void>((resolve) => {
    const timer = setInterval(() => {
      const due = Math.min(total, ((performance.now() - beganAt) * perSecond) / 1000);
      while (running.length < due) running.push(one());
      if (running.length < total) return;
      clearInterval(timer);
      resolve();
    }, 5);
  });
  await Promise.all(running);
  agent.destroy();
  return { latency: quantilesOf(Float64Array.from(took)), failed };
}

/** Whether the answer came whole and was the list. */
async function ask({ url, headers }: Target, agent: Agent): Promise<boolean> {
  const asked = request(url, { method: 'POST', agent, headers: { 'content-type': 'application/json', ...headers() } });
  asked.end(list);
  try {
    const [response] = (await once(asked, 'response')) as [IncomingMessage];
    let bytes = 0;
    for await (const chunk of response as AsyncIterable<Buffer>) bytes += chunk.length;
    return response.statusCode === 200 && bytes > 1000;
  } catch {
    return false;
  }
}

export interface HeldStreams {
  /** Those that are still open. */
  open(): number;
  close(): void;
}

/** Opens idle streams, a few at a time, and holds them. */
export async function holdStreams({ url, headers }: Target, count: number): Promise<HeldStreams> {
  const agent = new Agent({ keepAlive: true });
  const open = new Set<IncomingMessage>();
  const openOne = async (): Promise<void> => {
    const asked = request(url, { agent, headers: { accept: 'text/event-stream', ...headers() } });
    asked.on('error', () => undefined).end();
    const [response] = (await once(asked, 'response')) as [IncomingMessage];
    if (response.statusCode !== 200) throw new Error(`A stream was answered with ${response.statusCode}.`);
    open.add(response);
    response.on('close', () => open.delete(response)).resume();
  };
  for (let opened = 0; opened < count; opened += 50) {
    await Promise.all(Array.from({ length: Math.min(50, count - opened) }, openOne));
  }
  return { open: () => open.size, close: () => agent.destroy() };
}

import { Agent, request } from 'node:http';
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { type Quantiles, quantilesOf } from '../measure/stats.ts';

export interface Target {
  url: string;
  headers: Record<string, string>;
}

const list = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' });

export interface Load {
  latency: Quantiles;
  failed: number;
}

/** `concurrency` loops, each of which requests the list of tools again as soon as it has it. */
export async function requestInLoops(
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

/** `perSecond` requests, whether or not earlier ones are answered. */
export async function requestAtRate(
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

/** Requests the list of tools; returns whether the answer was complete. */
async function ask({ url, headers }: Target, agent: Agent): Promise<boolean> {
  const sent = request(url, { method: 'POST', agent, headers: { 'content-type': 'application/json', ...headers } });
  sent.end(list);
  try {
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    let bytes = 0;
    for await (const chunk of response as AsyncIterable<Buffer>) bytes += chunk.length;
    return response.statusCode === 200 && bytes > 1000;
  } catch {
    return false;
  }
}

interface HeldStreams {
  /** Number of streams still open. */
  open(): number;
  close(): void;
}

/** Opens idle streams, 50 at a time, and keeps them open. */
export async function holdStreams({ url, headers }: Target, count: number): Promise<HeldStreams> {
  const agent = new Agent({ keepAlive: true });
  const open = new Set<IncomingMessage>();
  const openOne = async (): Promise<void> => {
    const sent = request(url, { agent, headers: { accept: 'text/event-stream', ...headers } });
    sent.on('error', () => undefined).end();
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    if (response.statusCode !== 200) throw new Error(`Opening a stream failed with ${response.statusCode}.`);
    open.add(response);
    response.on('close', () => open.delete(response)).resume();
  };
  for (let opened = 0; opened < count; opened += 50) {
    await Promise.all(Array.from({ length: Math.min(50, count - opened) }, openOne));
  }
  return { open: () => open.size, close: () => agent.destroy() };
}

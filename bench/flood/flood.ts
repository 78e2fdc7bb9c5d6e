import { startChild } from '../support/child.ts';
import { messageOf } from '../support/messages.ts';

export interface Flood {
  kind: 'flood';
  port: number;
  perSecond: number;
  milliseconds: number;
  /** true: keys with a wrong checksum. false: unknown keys, which must be looked up. */
  mistyped: boolean;
}

export interface FloodResult {
  kind: 'flooded';
  /** The rate actually sent. */
  perSecond: number;
  statuses: Record<string, number>;
}

interface Flooder {
  run(flood: Omit<Flood, 'kind'>): Promise<FloodResult>;
  stop(): Promise<void>;
}

export async function startFlooder(): Promise<Flooder> {
  const child = startChild(new URL('./flooder.ts', import.meta.url));
  await child.receive(messageOf<'ready', { kind: 'ready' }>('ready'), 5_000);
  return {
    run(flood) {
      const result = child.receive(messageOf<'flooded', FloodResult>('flooded'), flood.milliseconds + 10_000);
      child.send({ kind: 'flood', ...flood });
      return result;
    },
    stop: child.stop,
  };
}

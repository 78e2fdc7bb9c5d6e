import { startChild } from '../support/child.ts';
import { messageOf } from '../support/messages.ts';

export interface Flood {
  kind: 'flood';
  port: number;
  perSecond: number;
  milliseconds: number;
  /** Keys whose checksum is wrong; otherwise ones that must be looked up. */
  mistyped: boolean;
}

export interface Flooded {
  kind: 'flooded';
  /** What was really sent. */
  perSecond: number;
  statuses: Record<string, number>;
}

export interface Flooder {
  run(flood: Omit<Flood, 'kind'>): Promise<Flooded>;
  stop(): Promise<void>;
}

export async function startFlooder(): Promise<Flooder> {
  const child = startChild(new URL('./flooder.ts', import.meta.url));
  await child.receive(messageOf<'ready', { kind: 'ready' }>('ready'), 5_000);
  return {
    run(flood) {
      const flooded = child.receive(messageOf<'flooded', Flooded>('flooded'), flood.milliseconds + 10_000);
      child.send({ kind: 'flood', ...flood });
      return flooded;
    },
    stop: child.stop,
  };
}

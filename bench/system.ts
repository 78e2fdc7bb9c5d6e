import type { Pids } from './measure/cpu.ts';

/** All systems, in the order of the table. */
export const systemNames = ['direct', 'floor', 'gateway', 'compact', 'one process', 'peer'] as const;

/** Something that answers chat completions: the upstream itself, the floor, the gateway, or another gateway. */
export interface System {
  name: (typeof systemNames)[number];
  port: number;
  model: string;
  /** Additional request headers, for example the key. */
  headers: Readonly<Record<string, string>>;
  /** The measured processes. */
  pids: Pids;
  /** Databases of the system: reported separately. */
  besidePids: Pids;
  stop(): Promise<void>;
}

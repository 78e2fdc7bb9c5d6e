import type { Pids } from './measure/cpu.ts';

/** Something that answers chat completions: the upstream itself, the floor, or the gateway. */
export interface System {
  name: 'direct' | 'floor' | 'gateway';
  port: number;
  model: string;
  /** Request headers beyond the usual, such as the key. */
  headers: Readonly<Record<string, string>>;
  /** The processes whose cost counts. */
  pids: Pids;
  /** Processes that belong to it but are others' work: databases. Reported beside. */
  besidePids: Pids;
  stop(): Promise<void>;
}

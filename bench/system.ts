import type { Pids } from './measure/cpu.ts';

/** Something that answers chat completions: the upstream itself, the floor, or the gateway. */
export interface System {
  name: 'direct' | 'floor' | 'gateway';
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

import type { Leave } from '@tallyport/limits';
import type { Store } from '@tallyport/store';
import type { LogRoom } from './run-log.ts';
import type { BackgroundEvents } from './events.ts';
import type { LeaseTimes } from './held-run.ts';
import type { RunForm } from './run-form.ts';
import type { RunRequest } from './run-request.ts';
import type { Runs } from './runs.ts';

export interface RunTimes extends LeaseTimes {
  /** How often runs that no replica has are looked for. */
  lookEveryMs: number;
  /** How long a run may wait before it is begun. */
  waitMs: number;
  /** How long a run may take at most. */
  lifeMs: number;
  /** How long events are kept. */
  logMs: number;
  /** How long the record and the ending of a run are kept. */
  keepMs: number;
}

export interface RunTools {
  store: Store;
  runs: Runs;
  forms: Readonly<Record<string, RunForm>>;
  times: RunTimes;
  room: LogRoom;
  maxLogBytes: number;
  events: BackgroundEvents;
  /** Throws `rate_limit_exceeded` if the limits on concurrent requests have no room for the run. */
  enter(request: RunRequest): Leave | Promise<Leave>;
}

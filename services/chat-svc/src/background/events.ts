import type { Kit } from '@tallyport/service-kit';
import type { RunEnding } from './run-form.ts';

const results = ['completed', 'incomplete', 'failed', 'cancelled'] as const satisfies RunEnding['result'][];
const moves = ['taken_over', 'handed_over', 'lost'] as const;

export interface BackgroundEvents {
  ended(result: RunEnding['result']): void;
  /**
   * `taken_over`: begun again, because the replica that had it died. `handed_over`: left to another replica by one that shuts
   * down. `lost`: it cannot be made again.
   */
  moved(how: (typeof moves)[number]): void;
  /** A fault of this program; the run is begun again. */
  failed(error: unknown): void;
}

export function backgroundEvents(
  { metrics, log }: Pick<Kit, 'log' | 'metrics'>,
  running: () => number,
): BackgroundEvents {
  const ended = metrics.counter({
    name: 'gateway_background_responses_total',
    help: 'Background responses that have ended on this replica.',
    labels: { result: results },
  });
  const moved = metrics.counter({
    name: 'gateway_background_moves_total',
    help: 'Background responses that were taken over from a replica that died, handed over by one that shuts down, or lost with one.',
    labels: { move: moves },
  });
  metrics.gauge({
    name: 'gateway_background_running',
    help: 'Background responses that this replica is making.',
    read: running,
  });
  return {
    ended: (result) => ended.with({ result }).increment(),
    failed: (error) => log.error({ error }, 'background response failed'),
    moved: (move) => moved.with({ move }).increment(),
  };
}

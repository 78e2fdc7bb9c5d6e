import { concurrencyRules, createConcurrency, enterAll, joinReplicas } from '@tallyport/limits';
import type { Kit } from '@tallyport/service-kit';
import { createByteQuota, type Store } from '@tallyport/store';
import type { ChatConfig } from '../config.ts';
import { type Background, createBackground } from './background.ts';
import { backgroundEvents } from './events.ts';
import type { RunForm } from './run-form.ts';
import type { RunTimes, RunTools } from './run-tools.ts';
import { createRuns } from './runs.ts';

const [second, hour, day] = [1_000, 3_600_000, 86_400_000];

const times = {
  lookEveryMs: second,
  leaseMs: 9 * second,
  renewEveryMs: 3 * second,
  waitMs: hour,
  lifeMs: hour,
  /** Longer than waiting, running and what lies between. */
  openMs: 3 * hour,
  logMs: hour,
} as const satisfies Partial<RunTimes>;

/** The memory for events that are not stored yet. */
const mostHeldBytes = 64 * 1024 ** 2;
/** The runs of one process. Further ones wait for another replica, or their turn. */
const mostRunning = 100;
/** A stream has many events for what its answer says once. */
const logBytesPerByte = 4;

/** Answers without clients, of the forms of all APIs. */
export function openBackground(
  kit: Kit<ChatConfig>,
  { store, forms }: { store: Store; forms: readonly RunForm[] },
): Background {
  const { config } = kit;
  const keepMs = Math.max(1, config.RESPONSES_DAYS) * day;
  const replicas = joinReplicas({ store, group: 'background', onBeat: () => concurrency.beat() });
  const concurrency = createConcurrency({ store, replicas, onDecision() {} });
  const enter: RunTools['enter'] = ({ head: { principal, rights } }) =>
    principal === undefined || rights === undefined
      ? () => {}
      : enterAll(concurrency, concurrencyRules({ principal, ...rights }, config.LIMIT_CONCURRENT_REQUESTS));
  const background = createBackground({
    store,
    forms: Object.fromEntries(forms.map((form) => [form.name, form])),
    runs: createRuns({
      store,
      quota: createByteQuota({ store, name: 'background', maxBytes: config.RESPONSES_ACCOUNT_MAX_BYTES }),
      mostOpen: config.RESPONSES_BACKGROUND_OPEN,
      keepMs,
      keyMs: config.IDEMPOTENCY_TTL_SECONDS * second,
      ...times,
    }),
    times: { ...times, keepMs },
    room: { held: 0, limit: mostHeldBytes },
    maxLogBytes: logBytesPerByte * config.RESPONSES_MAX_BYTES,
    mostRunning,
    events: backgroundEvents(kit, () => background.running()),
    enter,
  });
  return {
    ...background,
    async drain(deadlineMs) {
      await background.drain(deadlineMs);
      await concurrency.stop();
      await replicas.stop();
    },
  };
}

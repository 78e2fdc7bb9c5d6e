import type { Kit } from '@tallyport/service-kit';
import type { RecorderEvents } from './recorder.ts';

/** Metrics and logs for records that the journal does not accept at once. */
export function recorderEvents({ name, log, metrics }: Pick<Kit, 'name' | 'log' | 'metrics'>): RecorderEvents {
  const detours = metrics.counter({
    name: 'gateway_usage_detours_total',
    help: 'Usage records that the journal did not accept at once: spilled to a file, held in memory because the disk failed too, or lost. Repeated: it had stored them, but the ledger did not have them, so they were sent again.',
    labels: { result: ['spilled', 'held', 'lost', 'repeated'] },
  });
  const held = metrics.gauge({
    name: 'gateway_usage_held_bytes',
    help: 'Usage records held in memory by this process because neither the journal nor the disk accepts them.',
    labels: { service: ['chat-svc', 'image-svc'] },
  });
  let isHolding = false;
  const spilled = metrics.gauge({
    name: 'gateway_usage_spilled_bytes',
    help: 'Usage records spilled to files by this process.',
    labels: { service: ['chat-svc', 'image-svc'] },
  });
  return {
    journalAway: (error) => log.warn({ error }, 'the usage journal is unavailable: records are written to a file'),
    journalBack: () => log.info('the usage journal is available again'),
    usageSpilled: () => detours.with({ result: 'spilled' }).increment(),
    usageSentAgain: () => detours.with({ result: 'repeated' }).increment(),
    notCompared: (error) => log.warn({ error }, 'the ledger did not say which records it has; asking again'),
    waiting: (bytes) => spilled.with({ service: name }).set(bytes),
    usageHeld(error) {
      detours.with({ result: 'held' }).increment();
      if (!isHolding)
        log.error({ error }, 'neither the journal nor the disk accepts usage records: they are held in memory');
      isHolding = true;
    },
    heldBytes(bytes) {
      held.with({ service: name }).set(bytes);
      if (bytes === 0 && isHolding) log.info('no usage records are held in memory any more');
      if (bytes === 0) isHolding = false;
    },
    usageLost(record, error) {
      detours.with({ result: 'lost' }).increment();
      // Logs the record itself, so that an operator can add it by hand.
      log.error({ record, error }, 'a usage record is lost');
    },
  };
}

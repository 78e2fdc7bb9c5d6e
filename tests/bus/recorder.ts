import { setTimeout as sleep } from 'node:timers/promises';
import { natsLink } from '@tallyport/bus/nats';
import { createSpill } from '../../packages/serving/src/metering/spill/spill.ts';
import { usageRecord } from '../../packages/serving/src/metering/testing/usage-record.ts';
import { createUsageRecorder } from '../../packages/serving/src/metering/usage/recorder.ts';
import { appendTo, ignoredEvents } from './journal-kills.ts';

/** Records usage until it is killed, and prints the id of each record that a kill may not lose: `node recorder.ts <nats url> <spill folder>`. */
const [url = '', directory = ''] = process.argv.slice(2);
const link = await natsLink({ url, name: 'recorder' });
const recorder = createUsageRecorder({
  append: ({ id }, onSent) => appendTo(link, id, onSent),
  spill: createSpill({ directory, maxBytes: 1_000_000 }),
  events: ignoredEvents,
});
process.stdout.write('ready\n');
for (let count = 0; ; count++) {
  const id = `use_${process.pid}_${count}`;
  void recorder.record(usageRecord(id)).then(() => process.stdout.write(`${id}\n`));
  await sleep(Math.random() * 4);
}

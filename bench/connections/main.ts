import { readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { makeCertificates } from '../../tests/connections/certificates.ts';
import { describeMachine } from '../measure/machine.ts';
import { createSamples } from '../measure/stats.ts';
import { printMeasure } from '../support/print-measure.ts';
import { createUndo } from '../support/undo.ts';
import { arrive } from './arrivals.ts';
import { type Calls, callsOf, directCallsOf } from './calls.ts';
import { startVendor } from './vendor.ts';

// `node bench/connections/main.ts`: connections to vendors with TLS that are 40 ms away and close idle ones. --quick makes
// a short run, not for quoting.

const quick = process.argv.includes('--quick');
const roundTripMs = 40;
const idleSeconds = [5, 20, 60, 120];
const forMs = quick ? 5_000 : 50_000;
/** To each of the vendors. At 100 a second no connection becomes idle, so one vendor says enough. */
const rates = [
  { perSecond: 1, vendors: idleSeconds },
  { perSecond: 10, vendors: idleSeconds },
  { perSecond: 100, vendors: idleSeconds.slice(0, 1) },
  { perSecond: 10, vendors: idleSeconds.slice(0, 2), areIndependent: true, workMs: 500 },
];
const closingRequests = quick ? 1_000 : 10_000;
const never = 600_000;

const undo = createUndo();
process.once('SIGINT', () => void undo.all().finally(() => process.exit(130)));

try {
  const certificates = await makeCertificates();
  undo.add(certificates.remove);
  setDefaultCACertificates([...getCACertificates(), readFileSync(certificates.authority, 'utf8')]);
  for (const rate of rates) await warmth(certificates, rate);
  await closing(certificates);
  console.log(`\n${JSON.stringify(describeMachine())}`);
} finally {
  await undo.all();
}

type Files = Pick<Awaited<ReturnType<typeof makeCertificates>>, 'certificate' | 'key'>;

/** The share of warm connections, and the time added to calls over connections that never end. */
async function warmth({ certificate, key }: Files, rate: (typeof rates)[number]): Promise<void> {
  const { perSecond, vendors, areIndependent = false, workMs = 5 } = rate;
  const usual = { certificate, key, roundTripMs, closes: 'after', announces: false, workMs } as const;
  const parts = createUndo();
  undo.add(parts.all);
  const far = await startVendor({ ...usual, idleMs: never });
  parts.add(far.stop);
  const direct = await directCallsOf(far.port, Math.max(8, perSecond / 4));
  parts.add(direct.close);
  const directMs = createSamples();
  const pooledMs = createSamples();
  const pooled: { idle: number; calls: Calls }[] = [];
  for (const idle of vendors) {
    const vendor = await startVendor({ ...usual, idleMs: idle * 1_000 });
    parts.add(vendor.stop);
    const calls = callsOf(vendor.port);
    parts.add(calls.close);
    // No gateway has a connection for the first call of a process.
    await calls.call();
    calls.uses.new = 0;
    pooled.push({ idle, calls });
  }
  const arrivals = { perSecond, forMs, areIndependent };
  const rateText = `${perSecond}/s${areIndependent ? ' at random' : ''}`;
  if (areIndependent) {
    // Until about as many have been in use at once as ever will be.
    await Promise.all(
      pooled.map(({ calls }) => arrive({ ...arrivals, forMs: forMs / 2 }, async () => void (await calls.call()))),
    );
    for (const { calls } of pooled) Object.assign(calls.uses, { warm: 0, new: 0, repeated: 0 });
  }
  await Promise.all([
    arrive(arrivals, async () => directMs.add(await direct.call())),
    ...pooled.map(({ calls }) => arrive(arrivals, async () => pooledMs.add(await calls.call()))),
  ]);
  for (const { idle, calls } of pooled) {
    const { warm, new: opened, repeated } = calls.uses;
    const share = warm / (warm + opened + repeated);
    const title = `${rateText}, closed after ${idle} s idle: warm of ${warm + opened + repeated}`;
    printMeasure(title, `${(share * 100).toFixed(1)} %`, '≥ 99 %', share >= 0.99);
  }
  const [least, taken] = [directMs.quantiles(), pooledMs.quantiles()];
  printMeasure(`${rateText}: direct, p50 / p99`, `${least.p50.toFixed(1)} / ${least.p99.toFixed(1)} ms`);
  printMeasure(`${rateText}: added, p50`, `${(taken.p50 - least.p50).toFixed(1)} ms`);
  const added = taken.p99 - least.p99;
  printMeasure(`${rateText}: added, p99`, `${added.toFixed(1)} ms`, '≤ 5 ms', added <= 5);
  await parts.all();
}

/** Requests to a vendor that may close an idle connection at any moment. */
async function closing({ certificate, key }: Files): Promise<void> {
  const idleMs = 300;
  const vendor = await startVendor({
    certificate,
    key,
    roundTripMs,
    idleMs,
    closes: 'within',
    announces: false,
    workMs: 5,
  });
  undo.add(vendor.stop);
  let left = closingRequests;
  const failures = new Map<string, number>();
  const uses = { warm: 0, new: 0, repeated: 0 };
  const caller = async (): Promise<void> => {
    const calls = callsOf(vendor.port);
    while (left > 0) {
      left -= 1;
      await calls.call().catch((error: Error) => {
        const reason = `${error.message}: ${String(error.cause)}`;
        failures.set(reason, (failures.get(reason) ?? 0) + 1);
      });
      await pause(Math.random() * idleMs);
    }
    for (const use of ['warm', 'new', 'repeated'] as const) uses[use] += calls.uses[use];
    await calls.close();
  };
  await Promise.all(Array.from({ length: 20 }, caller));
  const failed = [...failures.values()].reduce((sum, count) => sum + count, 0);
  const { closed, connections, resumed, readAgain } = await vendor.report();
  printMeasure(
    `${closingRequests} requests, ${closed} idle connections closed at any moment: failed`,
    String(failed),
    '0',
    failed === 0,
  );
  printMeasure('of them on warm / new connections', `${uses.warm} / ${uses.new}`);
  printMeasure('sent again, because the connection ended before', String(uses.repeated));
  printMeasure('read twice by the vendor', String(readAgain), '0', readAgain === 0);
  printMeasure('connections that resumed a session of TLS', `${resumed} of ${connections}`);
  for (const [reason, count] of failures) console.log(`  ${count} × ${reason}`);
}

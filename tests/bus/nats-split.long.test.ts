import type { ProcessName } from '@tallyport/contracts';
import { describe, expect, test } from 'vitest';
import { waitUntil } from '../support/probe.ts';
import { partOf } from '../support/scale.ts';
import { processNames } from '@tallyport/bus';
import { clusterGateway } from './cluster-gateway.ts';

// Long: it splits a cluster in every way.
// About: packages/bus/src.

const gateway = clusterGateway();
const { edge, isReady, hearsAll, isServed, openAll } = gateway;

/** A process notices after three seconds that it is not served. */
const quietMs = 5_000;

/**
 * Usually it takes four to ten seconds. A process that looks when another one is just moving looks again after five, ten and
 * twenty seconds, so some cuts take a minute, and more while a whole run of the tests keeps the machine busy.
 */
const longestMs = 150_000;

/**
 * Waits until all processes have been served for longer than a process needs to notice that it is not. Returns how long
 * edge was ready although it had missed a service for longer than that.
 */
async function recovery(): Promise<{ wronglyReadyMs: number }> {
  const cutAt = performance.now();
  let unservedAt = cutAt;
  let wronglyReadyMs = 0;
  let sampledAt = cutAt;
  while (performance.now() - unservedAt < quietMs) {
    const isWell = (await isServed()) && gateway.processes().every(hearsAll);
    const now = performance.now();
    if (!isWell) unservedAt = now;
    if (now - cutAt > longestMs) throw new Error(`Not served in time. ${missing()}`);
    const isLate =
      now - cutAt > quietMs &&
      edge()
        .link.unheard()
        .some(({ isOptional }) => !isOptional);
    if (isLate && isReady(edge())) wronglyReadyMs += now - sampledAt;
    sampledAt = now;
  }
  return { wronglyReadyMs };
}

const missing = (): string =>
  gateway
    .processes()
    .map(({ name, link }) => `${name}: ${link.unheard().map((service) => service.name)}`)
    .join('; ');

interface Cut {
  title: string;
  /** Where each process is; server 0 is cut off. */
  at(name: ProcessName): number;
}

/** One process is alone at the server that is cut off, or at another one. */
const single: Cut[] = processNames.flatMap((wrong) => [
  { title: `${wrong} is cut off`, at: (name) => (name === wrong ? 0 : 1) },
  { title: `all but ${wrong} are cut off`, at: (name) => (name === wrong ? 2 : 0) },
]);

/** The processes are spread over the servers. */
const spread: Cut[] = [0, 1, 2].map((shift) => ({
  title: `they are spread, from ${shift}`,
  at: (name) => (processNames.indexOf(name) + shift) % 3,
}));

/** Servers notice closed links at once, silent ones after minutes. */
describe.each(['closed', 'silent'] as const)('one server is cut off from the others by %s links', (state) => {
  const cuts = partOf([...single, ...spread], { one: 17 });
  test.each(cuts)('$title: all are served again', async ({ at }) => {
    await openAll(at);
    gateway.cluster().link(0, state);
    const { wronglyReadyMs } = await recovery();
    // A service that is just moving is heard at no server: until its next look, edge takes it for away.
    expect(wronglyReadyMs).toBeLessThan(15_000);
  }); // prettier-ignore
});

test('all links are cut: the processes meet at one server', async () => {
  await openAll((name) => processNames.indexOf(name) % 3);
  for (const server of [0, 1]) gateway.cluster().link(server, 'closed');
  await recovery();
});

describe('a service has no replica', () => {
  test.each([
    ['chat-svc', false],
    ['image-svc', true],
  ] as const)('%s: the others stay where they are and are ready', async (away, isReadyBefore) => {
    await openAll((name) => processNames.indexOf(name) % 3);
    await gateway.remove(away);
    const isMissed = () => edge().link.unheard().some(({ name }) => name === away); // prettier-ignore
    await waitUntil('edge to miss it', isMissed);
    expect(isReady(edge())).toBe(isReadyBefore);
    await waitUntil('edge to know that it is away', () => edge().link.unheard().every(({ isAway }) => isAway));
    expect(isReady(edge())).toBe(true);
    expect(gateway.processes().flatMap(({ troubles }) => troubles)).toEqual([]);
    await gateway.add(away, 0);
    await waitUntil('edge to hear it', () => hearsAll(edge()));
  }); // prettier-ignore
});

// Pause: pieces are made slowly, so that a cut is in the middle of them.
import { setTimeout as pause } from 'node:timers/promises';
import type { Body, ExchangeHandler, Link } from '@tallyport/bus';
import { natsLink } from '@tallyport/bus/nats';
import { GatewayError } from '@tallyport/contracts';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { startNats, type TestServer } from '../support/servers.ts';
import { runsOf } from '../support/scale.ts';
import { type Cluster, startCluster } from './cluster.ts';
import { type Cut, startCutRelay } from './cut-relay.ts';

// Long: it cuts connections in front of every message.
// About: packages/bus/src.

const ok = { status: 200, headers: {} };
const deadlineMs = 60_000;
/** 1.3 seconds without other load. If lost frames are not found, it is the deadline. */
const endsWithinMs = 10_000;
let services = 0;
const ready: ExchangeHandler = async () => ({ head: ok, body: Buffer.from('') });

async function* pieces(count: number, everyMs: number): AsyncGenerator<Uint8Array> {
  for (let index = 0; index < count; index++) {
    await pause(everyMs);
    yield Buffer.from(`${index},`);
  }
}

interface Scenario {
  handler: ExchangeHandler;
  body(): Body;
}

const scenarios: Readonly<Record<string, Scenario>> = {
  'a streamed answer': {
    handler: async () => ({ head: ok, body: pieces(3, 60) }),
    body: () => Buffer.from('question'),
  },
  'a streamed request and a late answer': {
    async handler({ body }) {
      const read = await body.bytes();
      await pause(200);
      return { head: ok, body: read };
    },
    body: () => pieces(3, 60),
  },
};

type Side = 'client' | 'replica';

interface Run {
  urls: Readonly<Record<Side, string>>;
  cutSide: Side;
  cut: Cut;
}

/** The whole answer, or the code of the error. */
async function ask(client: Link, operation: string, body: Body = Buffer.from('question')): Promise<string> {
  try {
    const head = { requestId: 'r', timeoutMs: deadlineMs, headers: {} };
    const response = await client.open(`tp.s.${operation}`, { head, body });
    return Buffer.from(await response.body.bytes()).toString();
  } catch (error) {
    if (error instanceof GatewayError) return error.code;
    throw error;
  }
}

interface Ended {
  result: string;
  /** Until both sides had ended, after the cut; `undefined` if the exchange has fewer messages. */
  afterCutMs: number | undefined;
}

let server: TestServer;
let cluster: Cluster;
/** Both sides at one server, and each at its own. */
let places: Readonly<Record<'one server' | 'a cluster', Run['urls']>>;

beforeAll(async () => {
  [server, cluster] = await Promise.all([startNats(), startCluster()]);
  const [client = '', replica = ''] = cluster.urls;
  places = { 'one server': { client: server.url, replica: server.url }, 'a cluster': { client, replica } };
});
afterAll(() => Promise.all([server.stop(), cluster.stop()]));

async function run({ handler, body }: Scenario, { urls, cutSide, cut }: Run): Promise<Ended> {
  const relay = await startCutRelay(urls[cutSide], cut);
  const url = { ...urls, [cutSide]: relay.url };
  const [client, replica] = await Promise.all([
    natsLink({ url: url.client, name: 'client' }),
    natsLink({ url: url.replica, name: 'replica' }),
  ]);
  const service = `cut${services++}`;
  const handlers = { go: handler, ready };
  const listener = await replica.listen({ service, version: '1.0.0', handlers });
  // Two processes know each other from their first exchange on.
  await expect.poll(() => ask(client, `${service}.ready`)).toBe('');
  relay.arm();
  const result = await ask(client, `${service}.go`, body());
  await expect.poll(() => listener.active(), { interval: 5 }).toBe(0);
  const cutAt = relay.cutAt();
  const afterCutMs = cutAt === undefined ? undefined : performance.now() - cutAt;
  await Promise.all([client.close(), replica.close()]);
  await relay.close();
  return { result, afterCutMs };
}

const cuts = (['client', 'replica'] as const).flatMap((cutSide) =>
  (['up', 'down'] as const).map((direction) => ({ cutSide, direction })),
);
/** More messages than either scenario has on one connection. */
const everyMessage = Array.from({ length: 16 }, (_, after) => after);

/** Cuts one connection in front of each of its messages. All exchanges run at once. */
async function cutEach(scenario: Scenario, where: Omit<Run, 'cut'> & Pick<Cut, 'direction'>): Promise<void> {
  const { direction, ...sides } = where;
  const runs = everyMessage.map((after) => run(scenario, { ...sides, cut: { direction, after } }));
  const ended = await Promise.all(runs);
  const cut = ended.filter(({ afterCutMs }) => afterCutMs !== undefined);
  expect(cut.length).toBeGreaterThan(1);
  expect(ended.filter(({ afterCutMs = 0 }) => afterCutMs > endsWithinMs)).toEqual([]);
  // Only a request that no replica confirmed ends with an error: it may have been lost.
  const failed = ended.filter(({ result }) => result !== '0,1,2,');
  expect(new Set(failed.map(({ result }) => result))).toEqual(new Set(failed.length > 0 ? ['unavailable'] : []));
  if (process.env['SHOW_CUTS']) console.log(where, ended);
}

describe.each(Object.keys(scenarios))('%s', (name) => {
  describe.each(['one server', 'a cluster'] as const)('with %s', (place) => {
    test.each(cuts)('ends soon after the $cutSide’s connection is cut in front of any message, $direction', (cut) =>
      cutEach(scenarios[name]!, { ...cut, urls: places[place] }),
    );
  });
});

test(
  'answers end soon if the replica’s server is killed with their last frames, while the requester is at another',
  { meta: { tries: runsOf(12) * 30 } },
  async () => {
    const { client: url, replica: replicaUrl } = places['a cluster'];
    const killed = cluster.servers[1];
    const client = await natsLink({ url, name: 'client' });
    onTestFinished(() => client.close());
    for (let round = 0; round < runsOf(12); round++) {
      const replica = await natsLink({ url: replicaUrl, name: 'replica' });
      const service = `killed${services++}`;
      let begun = 0;
      async function* answer(): AsyncGenerator<Uint8Array> {
        const isFirst = begun++ === 0;
        yield* pieces(3, 3);
        // The frames of this turn are sent after it; those of the others are on their way.
        // Pause: the moment of a kill differs in each round.
        if (isFirst) setTimeout(() => void killed?.kill(), round % 4);
      }
      const handlers = { go: async () => ({ head: ok, body: answer() }), ready };
      await replica.listen({ service, version: '1.0.0', handlers });
      await expect.poll(() => ask(client, `${service}.ready`)).toBe('');
      const asked = Array.from({ length: 30 }, () => ask(client, `${service}.go`));
      const startedAt = performance.now();
      const results = new Set(await Promise.all(asked));
      const tookMs = performance.now() - startedAt;
      results.delete('unavailable');
      expect({ results, isLate: tookMs > endsWithinMs, tookMs }).toMatchObject({
        results: new Set(['0,1,2,']),
        isLate: false,
      });
      await replica.close();
      await killed?.restart();
    }
  },
);

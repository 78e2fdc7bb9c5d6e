import { openMemoryStore } from '@tallyport/store';
import { callInOrder } from '../attempts/call-in-order.ts';
import { indexCatalogue } from '../plan/model-index.ts';
import { planChat } from '../plan/plan.ts';
import { type RoutingSettings, defaultRouting, halfLifeOf } from '../settings.ts';
import type { Verdict } from '../standing/breakers.ts';
import { shareHealth } from '../standing/share.ts';
import { createStandings, type Standings } from '../standing/standings.ts';
import { catalogueOf, modelOf, offerOf } from '@tallyport/contracts/testing';
import { seededRandom } from './seeded-random.ts';
import { startVirtualClock, type VirtualClock } from './virtual-clock.ts';

/** A scripted provider: how it answers at each time. */
export interface ScriptedOffer {
  providerId: string;
  /** USD per million tokens. */
  price: number;
  priority?: number;
  latencyMs: number;
  tokensPerSecond: number;
  /** The probability that a call succeeds at this second. */
  uptime(second: number): number;
  /** How long a call takes that fails; a tenth of a second when absent. */
  failsAfterMs?: number;
}

/** One logical request of the replay. */
interface ReplayedRequest {
  second: number;
  /** Providers in the order of their calls; the last one answered if `ok`. */
  called: readonly string[];
  reason: string;
  ok: boolean;
}

interface ReplayOptions {
  offers: readonly ScriptedOffer[];
  requests: number;
  perSecond: number;
  seed: number;
  /** Processes that share their health once a second and get a request in turn. */
  replicas?: number;
  settings?: RoutingSettings;
}

const tokens = 200;
const sharedEveryMs = 1_000;

/**
 * Replays seeded requests in virtual time through the real plan, health, breakers and recovery. Only upstream calls are
 * simulated.
 */
export async function replay(options: ReplayOptions): Promise<ReplayedRequest[]> {
  const { requests, perSecond, seed, replicas: count = 1, settings = defaultRouting } = options;
  const clock = startVirtualClock();
  const store = openMemoryStore();
  const replicas = Array.from({ length: count }, () => {
    const standings = createStandings({ settings, monotonic: clock.now, wallClock: clock.now });
    const { health } = standings;
    const share = shareHealth({
      store,
      health,
      halfLifeMs: halfLifeOf(settings),
      everyMs: sharedEveryMs,
      replicas: () => count,
    });
    return { standings, share };
  });
  const serving = serverOf(options, clock, seededRandom(seed));
  const all: Promise<ReplayedRequest>[] = [];
  try {
    let at = 0;
    while (all.length < requests) {
      at += (-Math.log(1 - serving.random()) * 1000) / perSecond;
      await clock.advanceTo(at);
      const replica = replicas[all.length % count];
      if (replica !== undefined) all.push(serving.serve(replica.standings));
    }
    await clock.advanceTo(at + longestCallMs);
    return await Promise.all(all);
  } finally {
    for (const { standings, share } of replicas) {
      await share.stop();
      standings.close();
    }
    await store.close();
    clock.close();
  }
}

const longestCallMs = 600_000;

const asOffer = ({ providerId, price, priority = 1 }: ScriptedOffer) =>
  offerOf(providerId, { priority, pricing: { prompt: String(price / 1e6), completion: String(price / 1e6) } });

function serverOf({ offers, settings = defaultRouting }: ReplayOptions, clock: VirtualClock, random: () => number) {
  const model = modelOf('model', offers.map(asOffer));
  const ground = { index: indexCatalogue(catalogueOf(model)), obstacle: () => undefined, maxAttempts: 3, settings };
  const question = { model: 'model', needs: [], fallback: undefined, streaming: true };
  return {
    random,
    async serve(standings: Standings): Promise<ReplayedRequest> {
      const now = clock.now();
      const plan = planChat(question, { ...ground, standing: standings.of, random: random(), now });
      const called: string[] = [];
      let ok = false;
      await callInOrder(standings, plan, {
        async call({ offer }) {
          const script = offers.find(({ providerId }) => providerId === offer.providerId);
          if (script === undefined) throw new Error('An offer without a script was planned.');
          called.push(script.providerId);
          const verdict = await callOffer(script, { standings, clock, random });
          ok = verdict === 'succeeded';
          return verdict;
        },
        areOver: () => ok,
      });
      return { second: now / 1000, called, reason: plan.candidates[0]?.reason ?? 'none', ok };
    },
  };
}

interface Upstream {
  standings: Standings;
  clock: VirtualClock;
  random(): number;
}

async function callOffer(script: ScriptedOffer, { standings, clock, random }: Upstream): Promise<Verdict> {
  const offer = asOffer(script);
  if (random() >= script.uptime(clock.now() / 1000)) {
    await clock.sleep(script.failsAfterMs ?? 100);
    standings.failed(offer, { type: 'provider_server_error' });
    return 'failed';
  }
  const noise = 0.5 + random();
  await clock.sleep(script.latencyMs * noise);
  standings.answered(offer, script.latencyMs * noise);
  standings.delivered(offer, tokens, (tokens / script.tokensPerSecond) * 1000 * noise);
  return 'succeeded';
}

/** The share of requests between two seconds whose first call was to a provider. */
export function shareOf(
  all: readonly ReplayedRequest[],
  providerId: string,
  [from, to]: readonly [number, number],
): number {
  const some = all.filter(({ second }) => second >= from && second < to);
  return some.filter(({ called }) => called[0] === providerId).length / some.length;
}

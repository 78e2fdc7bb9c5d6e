import { vi } from 'vitest';
import { callInOrder } from '../attempts/call-in-order.ts';
import { indexCatalogue } from '../plan/model-index.ts';
import { planChat } from '../plan/plan.ts';
import { type RoutingSettings, defaultRouting } from '../settings.ts';
import { createStandings, type Standings } from '../standing/standings.ts';
import { catalogueOf, modelOf, offerOf } from '@switchyard/contracts/testing';
import { seededRandom } from './seeded-random.ts';

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
}

/** One logical request of the replay. */
export interface ReplayedRequest {
  second: number;
  /** Providers in the order of their calls; the last one answered if `ok`. */
  called: readonly string[];
  reason: string;
  ok: boolean;
}

export interface ReplayOptions {
  offers: readonly ScriptedOffer[];
  requests: number;
  perSecond: number;
  seed: number;
  settings?: RoutingSettings;
}

const tokens = 200;

/**
 * Replays seeded requests in virtual time through the real plan, health and breakers. Only upstream calls are
 * simulated.
 */
export async function replay({ offers, requests, perSecond, seed, settings = defaultRouting }: ReplayOptions) {
  vi.useFakeTimers();
  let now = 0;
  const standings = createStandings({ settings, monotonic: () => now, wallClock: () => now });
  const random = seededRandom(seed);
  const model = modelOf('model', offers.map(asOffer));
  const ground = { index: indexCatalogue(catalogueOf(model)), obstacle: () => undefined, maxAttempts: 3 };
  const all: ReplayedRequest[] = [];
  try {
    while (all.length < requests) {
      const pauseMs = (-Math.log(1 - random()) * 1000) / perSecond;
      vi.advanceTimersByTime(pauseMs);
      now += pauseMs;
      const question = { model: 'model', needs: [], noFallback: false, streaming: true };
      const plan = planChat(question, { ...ground, standing: standings.of, settings, random: random(), now });
      all.push(await serve({ standings, plan, offers, random, second: now / 1000 }));
    }
    return all;
  } finally {
    standings.close();
    vi.useRealTimers();
  }
}

const asOffer = ({ providerId, price, priority = 1 }: ScriptedOffer) =>
  offerOf(providerId, { priority, pricing: { prompt: String(price / 1e6), completion: String(price / 1e6) } });

interface Serving {
  standings: Standings;
  plan: ReturnType<typeof planChat>;
  offers: readonly ScriptedOffer[];
  random(): number;
  second: number;
}

async function serve({ standings, plan, offers, random, second }: Serving): Promise<ReplayedRequest> {
  const called: string[] = [];
  let ok = false;
  await callInOrder(standings.breakers, plan, {
    async call({ offer }) {
      const script = offers.find(({ providerId }) => providerId === offer.providerId);
      if (script === undefined) throw new Error('An offer without a script was planned.');
      called.push(script.providerId);
      ok = random() < script.uptime(second);
      if (!ok) {
        standings.failed(offer, { type: 'provider_server_error' });
        return 'failed';
      }
      const noise = 0.5 + random();
      standings.answered(offer, script.latencyMs * noise);
      standings.delivered(offer, tokens, (tokens / script.tokensPerSecond) * 1000 * noise);
      return 'succeeded';
    },
    areOver: () => ok,
  });
  return { second, called, reason: plan.candidates[0]?.reason ?? 'none', ok };
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

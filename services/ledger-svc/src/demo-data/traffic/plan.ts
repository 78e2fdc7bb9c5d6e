import type { UsagePlan } from '@tallyport/contracts';
import type { DemoOffer } from './offers.ts';

type Planned = UsagePlan['offers'][number];

const weights = { uptime: 0.5, throughput: 0.2, price: 0.2, latency: 0.1 } as const;
/** How much worse the score of each offer is, at least, than that of the offer before it. */
const leastStep = 0.015;
const bestUptime = 0.985;

/** Scores of offers in their order, with uptimes that explain it. */
export function demoPlan(
  offers: readonly DemoOffer[],
  mostAttempts: number,
  firstReason: string,
): UsagePlan | undefined {
  if (offers.length < 2) return undefined;
  const fastest = Math.max(...offers.map(({ tokensPerSecond }) => tokensPerSecond));
  // Models that write no text have no throughput, and the other factors have its weight.
  const inForce = fastest > 0 ? 1 : 1 - weights.throughput;
  const factor = (name: keyof typeof weights, value: number, ratio: number) => ({
    value: name === 'price' ? value : rounded(value),
    ratio: rounded(ratio),
    weight: rounded(weights[name] / inForce),
  });
  let before = 0;
  const planned = offers.map((offer, at): Planned => {
    const { tokensPerSecond } = offer;
    const others = {
      ...(fastest > 0 && { throughput: factor('throughput', tokensPerSecond, fastest / tokensPerSecond) }),
      price: factor('price', priceOf(offer), priceOf(offer) / Math.min(...offers.map(priceOf))),
      latency: factor('latency', offer.firstContentMs, offer.firstContentMs / leastLatency(offers)),
    };
    const sum = Object.values(others).reduce((total, { ratio, weight }) => total + ratio * weight, 0);
    const ratio = Math.max(1, ((before + leastStep - sum) * inForce) / weights.uptime);
    const uptime = factor('uptime', bestUptime / ratio, ratio);
    before = sum + uptime.ratio * uptime.weight;
    const reason = at === 0 ? firstReason : 'score';
    return { provider: offer.provider, reason, score: rounded(before), factors: { uptime, ...others } };
  });
  return { mostAttempts, offers: planned };
}

const leastLatency = (offers: readonly DemoOffer[]): number =>
  Math.min(...offers.map(({ firstContentMs }) => firstContentMs));

/** Of a typical chat, or of an image. */
const priceOf = ({ prices: { input = 0, output = 0, image } }: DemoOffer): number =>
  image ?? (input * 1_000 + output * 300) / 1_000_000;

const rounded = (value: number): number => Math.round(value * 1_000) / 1_000;

import { type RoutingSettings, defaultRouting, prefixFallbacks } from '@tallyport/dispatch';
import { type ConfigOf, defineConfig, milliseconds, wholeNumber } from '@tallyport/service-kit';
import { z } from 'zod';

/** From 0 to 1, inclusive. */
const share = z
  .string()
  .regex(/^(0|1|0?\.\d{1,6}|1\.0+|0\.0+)$/, 'must be a number from 0 to 1')
  .transform(Number);

const { weights, breaker } = defaultRouting;

/** The routing settings; their defaults are those of dispatch. */
export const routingConfig = defineConfig({
  ROUTING_UPTIME_WEIGHT: {
    schema: share,
    default: String(weights.uptime),
    description: 'Weight of the uptime when offers are compared. Only the ratios of the four weights matter.',
  },
  ROUTING_THROUGHPUT_WEIGHT: {
    schema: share,
    default: String(weights.throughput),
    description: 'Weight of the tokens per second.',
  },
  ROUTING_PRICE_WEIGHT: { schema: share, default: String(weights.price), description: 'Weight of the price.' },
  ROUTING_IMAGE_AUTO_MODEL: {
    schema: z.string().min(1, 'must name a model'),
    default: defaultRouting.imageAutoModel,
    description: 'The model that `auto` selects for image requests.',
  },
  ROUTING_LATENCY_WEIGHT: {
    schema: share,
    default: String(weights.latency),
    description: 'Weight of the time to the first content, for streams only.',
  },
  ROUTING_PREFIX_FALLBACK: {
    schema: z.enum(prefixFallbacks),
    default: defaultRouting.prefixFallback,
    description:
      'When a prefixed model (`<provider>/<model>`) may be answered by another provider: `unhealthy` only instead of an unhealthy offer, `any-failure` also after a single failure. `X-Fallback` changes it for a request.',
  },
  ROUTING_EXPLORATION: {
    schema: share,
    default: String(defaultRouting.exploration),
    description:
      'Share of requests that try another healthy offer than the best first, so that measurements stay current.',
  },
  ROUTING_HEALTH_WINDOW_MS: {
    schema: milliseconds,
    default: String(defaultRouting.healthWindowMs),
    description: 'How far back health looks. Events of this age count one sixteenth.',
  },
  ROUTING_SHARE_EVERY_MS: {
    schema: milliseconds,
    default: '1000',
    description: 'How often replicas share the health of offers through Redis. More than 200 share it less often.',
  },
  ROUTING_BREAKER_VOLUME: {
    schema: wholeNumber(1),
    default: String(breaker.volume),
    description: `An offer's breaker opens when more than ${breaker.errorPercentage} % of at least this many calls within 30 seconds fail.`,
  },
  ROUTING_BREAKER_FAILURES_IN_A_ROW: {
    schema: wholeNumber(1),
    default: String(breaker.failuresInARow),
    description: 'A breaker also opens after this many consecutive failures.',
  },
  ROUTING_BREAKER_RESET_MS: {
    schema: milliseconds,
    default: String(breaker.resetMs),
    description:
      'How long a breaker stays open before it permits one probe, and the longest pause between two trial requests of an offer that is down.',
  },
  ROUTING_KEY_BENCH_MS: {
    schema: milliseconds,
    default: String(defaultRouting.keyBenchMs),
    description: 'How long a provider key is skipped after its provider refused it, if there are others.',
  },
  ROUTING_MAX_COOLDOWN_MS: {
    schema: wholeNumber(0, 86_400_000),
    default: String(defaultRouting.maxCooldownMs),
    description: 'The longest Retry-After of a provider that is honoured. 0 ignores it.',
  },
});

export const routingSettings = (config: ConfigOf<typeof routingConfig>): RoutingSettings => ({
  ...defaultRouting,
  weights: {
    uptime: config.ROUTING_UPTIME_WEIGHT,
    throughput: config.ROUTING_THROUGHPUT_WEIGHT,
    price: config.ROUTING_PRICE_WEIGHT,
    latency: config.ROUTING_LATENCY_WEIGHT,
  },
  imageAutoModel: config.ROUTING_IMAGE_AUTO_MODEL,
  prefixFallback: config.ROUTING_PREFIX_FALLBACK,
  exploration: config.ROUTING_EXPLORATION,
  healthWindowMs: config.ROUTING_HEALTH_WINDOW_MS,
  breaker: {
    ...breaker,
    volume: config.ROUTING_BREAKER_VOLUME,
    failuresInARow: config.ROUTING_BREAKER_FAILURES_IN_A_ROW,
    resetMs: config.ROUTING_BREAKER_RESET_MS,
  },
  keyBenchMs: config.ROUTING_KEY_BENCH_MS,
  maxCooldownMs: config.ROUTING_MAX_COOLDOWN_MS,
});

/** The settings that decide the order of offers, with their values in force, for explanations. */
export const settingsInForce = ({ weights: weight, exploration, healthWindowMs, breaker: own }: RoutingSettings) =>
  (
    [
      ['ROUTING_UPTIME_WEIGHT', weight.uptime],
      ['ROUTING_THROUGHPUT_WEIGHT', weight.throughput],
      ['ROUTING_PRICE_WEIGHT', weight.price],
      ['ROUTING_LATENCY_WEIGHT', weight.latency],
      ['ROUTING_EXPLORATION', exploration],
      ['ROUTING_HEALTH_WINDOW_MS', healthWindowMs],
      ['ROUTING_BREAKER_VOLUME', own.volume],
      ['ROUTING_BREAKER_FAILURES_IN_A_ROW', own.failuresInARow],
      ['ROUTING_BREAKER_RESET_MS', own.resetMs],
    ] as const
  ).map(([name, value]) => ({ name, value, description: routingConfig[name].description }));

import { type RoutingSettings, defaultRouting } from '@switchyard/dispatch';
import { type ConfigOf, defineConfig, milliseconds, wholeNumber } from '@switchyard/service-kit';
import { z } from 'zod';

/** From 0 to 1, both included. */
const share = z
  .string()
  .regex(/^(0|1|0?\.\d{1,6}|1\.0+|0\.0+)$/, 'must be a number from 0 to 1')
  .transform(Number);

const { weights, breaker } = defaultRouting;

/** How offers are chosen. The defaults are dispatch's own. */
export const routingConfig = defineConfig({
  ROUTING_UPTIME_WEIGHT: {
    schema: share,
    default: String(weights.uptime),
    description: 'What uptime counts when offers are compared. Only the proportions of the four weights matter.',
  },
  ROUTING_THROUGHPUT_WEIGHT: {
    schema: share,
    default: String(weights.throughput),
    description: 'What tokens per second count.',
  },
  ROUTING_PRICE_WEIGHT: { schema: share, default: String(weights.price), description: 'What the price counts.' },
  ROUTING_IMAGE_PRICE_WEIGHT: {
    schema: share,
    default: String(defaultRouting.imagePriceWeight),
    description: 'What the price counts instead where images are made.',
  },
  ROUTING_IMAGE_AUTO_MODEL: {
    schema: z.string().min(1, 'must name a model'),
    default: defaultRouting.imageAutoModel,
    description: 'The model that `auto` means where images are made.',
  },
  ROUTING_LATENCY_WEIGHT: {
    schema: share,
    default: String(weights.latency),
    description: 'What the time to the first content counts, for streams only.',
  },
  ROUTING_HEALTHY_UPTIME: {
    schema: share,
    default: String(defaultRouting.healthyUptime),
    description: 'Below this lower bound of its uptime an offer is tried only after the healthy ones.',
  },
  ROUTING_EXPLORATION: {
    schema: share,
    default: String(defaultRouting.exploration),
    description: 'Share of requests whose first offer is another healthy one than the best, so that all stay known.',
  },
  ROUTING_HEALTH_WINDOW_MS: {
    schema: milliseconds,
    default: String(defaultRouting.healthWindowMs),
    description: 'How far back health remembers: what is this old counts a sixteenth.',
  },
  ROUTING_SHARE_EVERY_MS: {
    schema: milliseconds,
    default: '1000',
    description: 'How often replicas tell each other, through Redis, how offers do.',
  },
  ROUTING_BREAKER_ERROR_PERCENTAGE: {
    schema: wholeNumber(1, 100),
    default: String(breaker.errorPercentage),
    description: "An offer's breaker opens when more than this share of its calls fails.",
  },
  ROUTING_BREAKER_VOLUME: {
    schema: wholeNumber(1),
    default: String(breaker.volume),
    description: 'Calls within half a minute before that share means anything.',
  },
  ROUTING_BREAKER_FAILURES_IN_A_ROW: {
    schema: wholeNumber(1),
    default: String(breaker.failuresInARow),
    description: 'So many failures one after the other open it in any case.',
  },
  ROUTING_BREAKER_RESET_MS: {
    schema: milliseconds,
    default: String(breaker.resetMs),
    description: 'After this an open breaker lets one call try.',
  },
  ROUTING_KEY_BENCH_MS: {
    schema: milliseconds,
    default: String(defaultRouting.keyBenchMs),
    description: 'How long one of several keys is left out after its provider refused it.',
  },
  ROUTING_MAX_COOLDOWN_MS: {
    schema: wholeNumber(0, 86_400_000),
    default: String(defaultRouting.maxCooldownMs),
    description: 'The longest Retry-After of a provider that is heeded; 0 heeds none.',
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
  imagePriceWeight: config.ROUTING_IMAGE_PRICE_WEIGHT,
  imageAutoModel: config.ROUTING_IMAGE_AUTO_MODEL,
  healthyUptime: config.ROUTING_HEALTHY_UPTIME,
  exploration: config.ROUTING_EXPLORATION,
  healthWindowMs: config.ROUTING_HEALTH_WINDOW_MS,
  breaker: {
    ...breaker,
    errorPercentage: config.ROUTING_BREAKER_ERROR_PERCENTAGE,
    volume: config.ROUTING_BREAKER_VOLUME,
    failuresInARow: config.ROUTING_BREAKER_FAILURES_IN_A_ROW,
    resetMs: config.ROUTING_BREAKER_RESET_MS,
  },
  keyBenchMs: config.ROUTING_KEY_BENCH_MS,
  maxCooldownMs: config.ROUTING_MAX_COOLDOWN_MS,
});

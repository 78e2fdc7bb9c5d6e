import { z } from 'zod';

const providers = z.array(z.string().min(1)).min(1).max(50);
const usd = z.number().min(0);
const factor = z.enum(['price', 'throughput', 'latency']);

/** What a client wants of the offer that serves it, in OpenRouter's words. */
export const providerPreferences = z.strictObject({
  /** Tried first, in this order. */
  order: providers.nullish(),
  /** No other provider is called. */
  only: providers.nullish(),
  /** These are not called. */
  ignore: providers.nullish(),
  /** False: no provider is called beside those of `order`, or beside the first one. */
  allow_fallbacks: z.boolean().nullish(),
  /** True: none whose provider would leave out a member of the request. */
  require_parameters: z.boolean().nullish(),
  /** What alone decides among healthy offers; without a partition also among the models of the request. */
  sort: z.union([factor, z.strictObject({ by: factor, partition: z.enum(['model', 'none']).nullish() })]).nullish(),
  /** USD per million tokens, per request and per image. Dearer offers are not called. */
  max_price: z
    .strictObject({ prompt: usd.nullish(), completion: usd.nullish(), request: usd.nullish(), image: usd.nullish() })
    .nullish(),
  /** Tokens per second; offers known to be slower come after the others. */
  preferred_min_throughput: z.number().min(0).nullish(),
  /** Seconds to the first content; offers known to take longer come after the others. */
  preferred_max_latency: z.number().min(0).nullish(),
});

export type ProviderPreferences = z.infer<typeof providerPreferences>;

import type { ImageAbilities, ImageCall } from '../image-provider.ts';

/** The calls that bring the images a client wants, in their order. Their seeds count on, so that no two are the same. */
export function imageCalls(call: ImageCall, { mostPerCall, mostSeed }: ImageAbilities): ImageCall[] {
  if (call.n <= mostPerCall) return [call];
  const calls = Math.ceil(call.n / mostPerCall);
  return Array.from({ length: calls }, (_, index) => {
    const before = index * mostPerCall;
    const part = { ...call, n: Math.min(mostPerCall, call.n - before) };
    const { config } = call;
    if (config?.seed === undefined || mostSeed === undefined) return part;
    return { ...part, config: { ...config, seed: (config.seed + before) % (mostSeed + 1) } };
  });
}

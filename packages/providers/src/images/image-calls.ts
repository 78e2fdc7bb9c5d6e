import type { ImageAbilities, ImageCall } from '../spec/image-provider.ts';

/** The calls for all images a client wants, in order. Seeds are incremented so that no two images are the same. */
export function imageCalls(call: ImageCall, { mostPerCall, maxSeed }: ImageAbilities): ImageCall[] {
  if (call.n <= mostPerCall) return [call];
  const calls = Math.ceil(call.n / mostPerCall);
  return Array.from({ length: calls }, (_, index) => {
    const before = index * mostPerCall;
    const part = { ...call, n: Math.min(mostPerCall, call.n - before) };
    const { config } = call;
    if (config?.seed === undefined || maxSeed === undefined) return part;
    return { ...part, config: { ...config, seed: (config.seed + before) % (maxSeed + 1) } };
  });
}

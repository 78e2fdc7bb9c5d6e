import type { ImagesUsage } from '@tallyport/wire';

type Details = NonNullable<ImagesUsage['input_tokens_details']>;

/** Sums the usage of several calls; `undefined` unless each of them reported it. */
export function mergedImagesUsage(parts: readonly { usage?: ImagesUsage }[]): ImagesUsage | undefined {
  const usages = parts.flatMap(({ usage }) => usage ?? []);
  const [only] = usages;
  if (only === undefined || usages.length < parts.length) return undefined;
  if (usages.length === 1) return only;
  const input = mergedDetails(usages.map((usage) => usage.input_tokens_details));
  const output = mergedDetails(usages.map((usage) => usage.output_tokens_details));
  const costs = usages.flatMap(({ cost }) => cost ?? []);
  return {
    input_tokens: sum(usages.map((usage) => usage.input_tokens)),
    output_tokens: sum(usages.map((usage) => usage.output_tokens)),
    total_tokens: sum(usages.map((usage) => usage.total_tokens)),
    ...(input && { input_tokens_details: input }),
    ...(output && { output_tokens_details: output }),
    ...(costs.length === usages.length && { cost: sum(costs) }),
  };
}

const sum = (counts: readonly number[]): number => counts.reduce((total, count) => total + count, 0);

function mergedDetails(all: readonly (Details | undefined)[]): Details | undefined {
  const reported = all.flatMap((details) => details ?? []);
  if (reported.length < all.length) return undefined;
  return {
    text_tokens: sum(reported.map((details) => details.text_tokens)),
    image_tokens: sum(reported.map((details) => details.image_tokens)),
  };
}

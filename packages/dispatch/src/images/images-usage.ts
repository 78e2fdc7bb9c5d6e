import type { Offer } from '@switchyard/contracts';
import type { ImagesUsage } from '@switchyard/wire';

type Details = NonNullable<ImagesUsage['input_tokens_details']>;

/** Of several calls: `undefined` unless every one of them told its own. */
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

/**
 * USD. What the vendor says itself; else the catalogue's price of an image for each that was made; else the price of the
 * tokens. Never two of them together: the price of an image is the price of its tokens.
 */
export function imagesCost({ pricing }: Offer, images: number, usage: ImagesUsage | undefined): number | undefined {
  if (usage?.cost !== undefined) return usage.cost;
  const each = amount(pricing.image);
  if (each !== undefined) return rounded(each * images);
  const prompt = amount(pricing.prompt);
  const completion = amount(pricing.completion);
  if (usage === undefined || (prompt === undefined && completion === undefined)) return undefined;
  return rounded(usage.input_tokens * (prompt ?? 0) + usage.output_tokens * (completion ?? 0));
}

const sum = (counts: readonly number[]): number => counts.reduce((total, count) => total + count, 0);

function mergedDetails(all: readonly (Details | undefined)[]): Details | undefined {
  const told = all.flatMap((details) => details ?? []);
  if (told.length < all.length) return undefined;
  return {
    text_tokens: sum(told.map((details) => details.text_tokens)),
    image_tokens: sum(told.map((details) => details.image_tokens)),
  };
}

function amount(text: string | undefined): number | undefined {
  const value = Number(text);
  return text === undefined || !Number.isFinite(value) || value < 0 ? undefined : value;
}

/** Billionths of a dollar are enough, and no binary remainder is shown. */
const rounded = (usd: number): number => Math.round(usd * 1e9) / 1e9;

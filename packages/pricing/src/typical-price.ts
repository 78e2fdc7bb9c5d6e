import type { Offer } from '@tallyport/contracts';

/** Chats read more than they write: typical traffic has three prompt tokens per answer token. */
const promptShare = 0.75;

/** USD per token of typical traffic, only for comparing offers; `undefined` without a price in the catalogue. */
export function typicalPrice({ pricing }: Offer): number | undefined {
  const prompt = amount(pricing.prompt);
  const completion = amount(pricing.completion);
  if (prompt === undefined && completion === undefined) return priceOfWhole(pricing);
  return (prompt ?? 0) * promptShare + (completion ?? 0) * (1 - promptShare);
}

const priceOfWhole = ({ image, request, search }: Offer['pricing']): number | undefined =>
  amount(image) ?? amount(request) ?? amount(search);

/** USD per image. Prices per token cannot be used here, because the number of tokens is not known in advance. */
export const imagePrice = ({ pricing }: Offer): number | undefined => amount(pricing.image) ?? amount(pricing.request);

function amount(text: string | undefined): number | undefined {
  const value = Number(text);
  return text === undefined || !Number.isFinite(value) || value < 0 ? undefined : value;
}

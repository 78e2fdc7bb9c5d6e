import type { Offer } from '@switchyard/contracts';

/** Chats read more than they write: three tokens of prompt to one of answer is what traffic commonly looks like. */
const promptShare = 0.75;

/** USD for a token of typical traffic, only to compare offers by; `undefined` when the catalogue knows no price. */
export function typicalPrice({ pricing }: Offer): number | undefined {
  const prompt = amount(pricing.prompt);
  const completion = amount(pricing.completion);
  if (prompt === undefined && completion === undefined) return amount(pricing.image) ?? amount(pricing.request);
  return (prompt ?? 0) * promptShare + (completion ?? 0) * (1 - promptShare);
}

/** USD for an image. Prices per token are no use here: the number of tokens of an image is not known in advance. */
export const imagePrice = ({ pricing }: Offer): number | undefined => amount(pricing.image) ?? amount(pricing.request);

function amount(text: string | undefined): number | undefined {
  const value = Number(text);
  return text === undefined || !Number.isFinite(value) || value < 0 ? undefined : value;
}

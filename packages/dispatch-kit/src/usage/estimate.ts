import { noTokens, type Offer } from '@switchyard/contracts';
import { type Money, type Plan, price, type Used } from '@switchyard/dispatch';
import type { ImageCall } from '@switchyard/providers';

/** What a request may use at an offer, before anybody knows. */
export type Estimate = (offer: Offer) => Used;

/** Tokens of an image of usual size, where its price is that of its tokens. */
const tokensPerImage = 2_000;
/** About what vendors count for one picture that is looked at. */
const tokensPerInput = 1_000;
const charactersPerToken = 4;

export const estimateChat =
  ({ prompt, answer }: { prompt: number; answer: number }): Estimate =>
  () => ({ tokens: { ...noTokens, input: prompt, output: answer }, images: 0 });

/** Of a prompt that nobody counts. */
export const promptTokens = (prompt: string): number => Math.ceil(prompt.length / charactersPerToken);

export const estimateImages = ({ prompt, n }: Pick<ImageCall, 'prompt' | 'n'>): Estimate => {
  const input = promptTokens(prompt);
  return ({ pricing }) => ({
    tokens: pricing.image === undefined ? { ...noTokens, input, imageOut: n * tokensPerImage } : noTokens,
    images: n,
  });
};

/** What is set aside of a limit of tokens. */
export const estimateImageTokens = ({ prompt, n, images }: Pick<ImageCall, 'images' | 'n' | 'prompt'>): number =>
  promptTokens(prompt) + images.length * tokensPerInput + n * tokensPerImage;

/** At the dearest offer that may be tried. What has no price is set aside for nothing. */
export function dearest({ candidates }: Plan, estimate: Estimate): Money {
  let most = 0n;
  for (const { offer } of candidates) {
    const { cost = 0n } = price(offer, estimate(offer));
    if (cost > most) most = cost;
  }
  return most;
}

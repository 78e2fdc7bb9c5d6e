import type { UsageOperation } from '@tallyport/contracts';
import offers from './offers.json' with { type: 'json' };

export interface DemoOffer {
  provider: string;
  /** The usual time until the first content of an answer, in milliseconds. */
  firstContentMs: number;
  tokensPerSecond: number;
  /** Dollars per million tokens, or per image. */
  prices: { input?: number; cacheRead?: number; output?: number; image?: number };
}

/** Models of the built-in catalogue. */
export type DemoModel = keyof typeof offers;

/** The offers of the model with the catalogue's prices, in the usual order of attempts. */
export const offersOf = (model: DemoModel): readonly DemoOffer[] => offers[model];

export function operationOf(model: DemoModel): UsageOperation {
  if (model === 'gemini-embedding-001') return 'embeddings';
  return model === 'gemini-nano-banana-2.1' ? 'image_generation' : 'chat';
}

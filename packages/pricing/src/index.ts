export {
  audioLimitTokens,
  type AudioUse,
  estimateSpeech,
  estimateTranscription,
  useOfSpeech,
  useOfTranscription,
} from './audio.ts';
export * from './cost.ts';
export {
  estimateChat,
  estimateInputs,
  estimatePrompt,
  estimatePrompts,
  estimateTextTokens,
  estimateUsage,
  highestCost,
  promptLength,
  type RequestEstimate,
} from './estimates.ts';
export { estimateImagePrompt, estimateImages, estimateImagesUsage, type WantedImages } from './image-estimates.ts';
export { largerUsage } from './larger-usage.ts';
export * from './money.ts';
export { promptUsage } from './prompt-usage.ts';
export { isAbsurdCost, isOffCatalogue, price, type Price } from './price.ts';
export { estimateRanking, rankingTokens, rankingUsage } from './rankings.ts';
export { estimateRealtime, type RealtimeInput } from './realtime.ts';
export { relateOffers } from './related-offers.ts';
export { soundUsage, usageBounds, type UsageBounds } from './sound-usage.ts';
export * from './tokens.ts';
export { batchTier, dearestTier, offerWithBatches, tierForAsked } from './tier-prices.ts';
export { imagePrice, typicalPrice } from './typical-price.ts';

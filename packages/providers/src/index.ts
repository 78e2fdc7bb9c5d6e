export { customProvider } from './custom/custom-provider.ts';
export type { Lesson } from './fast-lane/surroundings.ts';
export { createTextLane, type TextLane } from './fast-lane/text-lane.ts';
export { featureTable } from './features.ts';
export { createFold, fold, type Fold } from './fold/fold.ts';
export { openAiCompatible, type OpenAiCompatibleOptions } from './openai-compatible/chat.ts';
export type { ConditionalRules, Quirks, RequestRules } from './openai-compatible/quirks.ts';
export type * from './provider.ts';
export { chatProviders, findChatProvider, type ProviderRegistry, providersWith } from './registry.ts';

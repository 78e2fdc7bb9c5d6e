export { openAiCompatible, type OpenAiCompatibleOptions } from './openai-compatible/chat.ts';
export type { ConditionalRules, Quirks, RequestRules } from './openai-compatible/quirks.ts';
export type * from './provider.ts';
export { chatProviders, findChatProvider } from './registry.ts';

import { estimateImagePrompt } from '@tallyport/pricing';
import type { RouteFacts } from '@tallyport/routes';

/** The prompt of a request that is no chat, as the conditions of routes see it. */
export interface PromptFacts extends Pick<RouteFacts['request'], 'modalities' | 'tokens'> {
  /** Its text, or the first part of it; absent if it has none. */
  beginning?(): string | undefined;
}

/** Of a request for images; `images` is how many it edits. */
export const imagePromptFacts = (call: { prompt: string; images: number }): PromptFacts => ({
  tokens: () => estimateImagePrompt(call),
  modalities: () => (call.images > 0 ? ['text', 'image'] : ['text']),
  beginning: () => call.prompt,
});

import { checkedRequest, defaultModerationModel, moderationRequest } from '@tallyport/endpoints';
import { estimateInputs } from '@tallyport/pricing';
import { hasImages, type ModerationCall, moderationTexts } from '@tallyport/providers';
import type { PromptFacts } from '@tallyport/serving';

/** Checks a request. Throws `invalid_parameters` with the path of the member. */
export function asModerationRequest(value: unknown): { model: string; call: ModerationCall } {
  const { model, input } = checkedRequest(moderationRequest, value);
  return { model: model ?? defaultModerationModel, call: { input } };
}

export const moderationFacts = (call: ModerationCall): PromptFacts => ({
  tokens: () => estimateInputs(moderationTexts(call)),
  modalities: () => (hasImages(call) ? ['text', 'image'] : ['text']),
  beginning: () => moderationTexts(call).find((text) => text !== ''),
});

import { checkedRequest, defaultModerationModel, moderationRequest } from '@tallyport/endpoints';
import type { ModerationCall } from '@tallyport/providers';

/** Checks a request. Throws `invalid_parameters` with the path of the member. */
export function asModerationRequest(value: unknown): { model: string; call: ModerationCall } {
  const { model, input } = checkedRequest(moderationRequest, value);
  return { model: model ?? defaultModerationModel, call: { input } };
}

import { openAiUnknownModel } from '@tallyport/sandbox';
import type { CompatibleVendor } from '../vendor.ts';

/** Writes reasoning into the content unless asked to separate it; errors have a reason. */
export const novitaVendor: CompatibleVendor = {
  id: 'novita',
  path: /^\/novita(?:\/v3)?\/openai(?:\/v1)?\/chat\/completions$/,
  refuse: ({ model }) => (/^[\w.-]+\/[\w.-]+$/.test(String(model)) ? undefined : openAiUnknownModel(String(model))),
  errorBody: ({ status, message }) => ({
    code: status,
    reason: reasons[status] ?? 'INVALID_REQUEST_BODY',
    message,
    metadata: {},
  }),
  spell: ({ body }) => ({
    reasoning: body.separate_reasoning === true ? 'reasoning_content' : 'think',
    usagePlace: 'last',
  }),
};

const reasons: Readonly<Record<number, string>> = {
  401: 'INVALID_API_KEY',
  403: 'NOT_ENOUGH_BALANCE',
  404: 'MODEL_NOT_FOUND',
  429: 'RATE_LIMIT_EXCEEDED',
  500: 'INTERNAL_ERROR',
  503: 'SERVICE_NOT_AVAILABLE',
};

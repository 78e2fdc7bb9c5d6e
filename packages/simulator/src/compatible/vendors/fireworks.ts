import { jsonReply, openAiUnknownModel } from '@tallyport/sandbox';
import { compatibleUsage } from '../spelling.ts';
import type { CompatibleVendor } from '../vendor.ts';

/** Errors are objects, plain text, or from a proxy in front of it; the usage is always in the last chunk. */
export const fireworksVendor: CompatibleVendor = {
  id: 'fireworks',
  refuse: ({ model }) =>
    /^accounts\/[\w-]+\/(models|routers|deployments)\/./.test(String(model))
      ? undefined
      : openAiUnknownModel(String(model)),
  errorBody: ({ status, type, code, message }) =>
    status >= 500 ? { error: message } : { error: { object: 'error', type, code: code ?? type, message } },
  errorReply: ({ status, message }) =>
    status === 502
      ? jsonReply(502, { fault: { faultstring: message, detail: { errorcode: 'messaging.runtime' } } })
      : undefined,
  spell: () => ({ usage: compatibleUsage, usagePlace: 'last' }),
};

import { jsonReply, unknownModel } from '@switchyard/sandbox';
import { usageOf } from '../spelling.ts';
import type { Vendor } from '../vendor.ts';

/** Errors are objects, plain text, or from the edge before it; the usage is always in the last chunk. */
export const fireworks: Vendor = {
  id: 'fireworks',
  path: /^\/fireworks\/inference\/v1\/chat\/completions$/,
  refuse: ({ model }) =>
    /^accounts\/[\w-]+\/(models|routers|deployments)\/./.test(String(model)) ? undefined : unknownModel(String(model)),
  errorBody: ({ status, type, code, message }) =>
    status >= 500 ? { error: message } : { error: { object: 'error', type, code: code ?? type, message } },
  errorReply: ({ status, message }) =>
    status === 502
      ? jsonReply(502, { fault: { faultstring: message, detail: { errorcode: 'messaging.runtime' } } })
      : undefined,
  spell: () => ({ usage: usageOf, usagePlace: 'last' }),
};

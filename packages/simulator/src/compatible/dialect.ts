import {
  event,
  jsonReply,
  type Reply,
  type Dialect,
  openAiDialect,
  type ApiError,
  failureOf,
} from '@switchyard/sandbox';
import type { Vendor } from './vendor.ts';

export function dialectOf(vendor: Vendor): Dialect {
  return {
    ...openAiDialect,
    failure: (status, options = {}) => refusalOf(vendor, wordedFor(vendor, status, options.code)),
    midStream: vendor.midStream ?? [event('error', vendor.errorBody(wordedFor(vendor, 500)))],
    ...(vendor.comment && { comment: vendor.comment }),
    usageMembers: ['usage', 'x_groq'],
  };
}

/** What this vendor says with a status, unless a code of its own is asked for. */
export const wordedFor = (vendor: Vendor, status: number, code?: string): ApiError => ({
  ...failureOf(status, { code }),
  ...vendor.words?.[status],
  ...(code !== undefined && { code }),
});

export const refusalOf = (vendor: Vendor, error: ApiError): Reply =>
  vendor.errorReply?.(error) ?? jsonReply(error.status, vendor.errorBody(error));

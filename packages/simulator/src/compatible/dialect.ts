import {
  openAiErrorBody,
  dataEvent,
  jsonReply,
  type Reply,
  type FaultDialect,
  openAiDialect,
  type ApiError,
  openAiFailure,
} from '@tallyport/sandbox';
import type { CompatibleVendor } from './vendor.ts';

export function dialectOf(vendor: CompatibleVendor): FaultDialect {
  return {
    ...openAiDialect,
    failure: (status, options = {}) => refusalOf(vendor, wordedFor(vendor, status, options.code)),
    midStream: vendor.midStream ?? [dataEvent('error', errorBodyOf(vendor, wordedFor(vendor, 500)))],
    ...(vendor.comment && { comment: vendor.comment }),
    usageMembers: ['usage', 'x_groq'],
  };
}

/** The vendor's error for a status, with another code if requested. */
export const wordedFor = (vendor: CompatibleVendor, status: number, code?: string): ApiError => ({
  ...openAiFailure(status, { code }),
  ...vendor.errorTexts?.[status],
  ...(code !== undefined && { code }),
});

export const refusalOf = (vendor: CompatibleVendor, error: ApiError): Reply =>
  vendor.errorReply?.(error) ?? jsonReply(error.status, errorBodyOf(vendor, error));

const errorBodyOf = ({ errorBody = openAiErrorBody }: CompatibleVendor, error: ApiError): unknown => errorBody(error);

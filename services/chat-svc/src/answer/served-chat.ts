import type { ServedRequest } from '@tallyport/serving';

export interface ServedChat extends ServedRequest {
  /** Our id, used if the provider's does not look like OpenAI's. */
  completionId: string;
}

export const answerId = (vendorId: string, completionId: string): string =>
  vendorId.startsWith('chatcmpl-') ? vendorId : completionId;

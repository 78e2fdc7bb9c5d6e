import type { ServedRequest } from '@switchyard/serving';

export interface ServedChat extends ServedRequest {
  /** Ours, for answers whose provider's id does not look like OpenAI's. */
  completionId: string;
}

export const answerId = (vendorId: string, completionId: string): string =>
  vendorId.startsWith('chatcmpl-') ? vendorId : completionId;

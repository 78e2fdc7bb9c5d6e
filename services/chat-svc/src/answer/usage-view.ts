import type { RequestHead } from '@tallyport/contracts';
import type { ChatRequest } from '@tallyport/wire';
import { isOpenRouterClient } from './reasoning-view.ts';

/** How a client gets the usage of a stream. */
export interface UsageView {
  readonly isIncluded: boolean;
  /** Members of the chunks before the one with the usage: `usage: null`, or none. */
  readonly before: object;
}

/** OpenAI's chunks have `usage: null` until the last one, which OpenRouter's SDK refuses. */
export function usageViewFor({ stream_options: options }: ChatRequest, head: Pick<RequestHead, 'headers'>): UsageView {
  const isIncluded = options?.include_usage === true;
  return { isIncluded, before: isIncluded && !isOpenRouterClient(head) ? { usage: null } : {} };
}

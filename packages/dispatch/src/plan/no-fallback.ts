import type { RequestHead } from '@tallyport/contracts';

/** `X-No-Fallback: true`: one attempt, only at the requested provider. */
export const asksNoFallback = ({ headers }: Pick<RequestHead, 'headers'>): boolean =>
  /^(true|1)$/i.test(headers['x-no-fallback'] ?? '');

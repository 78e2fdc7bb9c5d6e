import type { RequestHead } from '@switchyard/contracts';

/** `X-No-Fallback: true`: one attempt, at what was asked for. */
export const asksNoFallback = ({ headers }: Pick<RequestHead, 'headers'>): boolean =>
  /^(true|1)$/i.test(headers['x-no-fallback'] ?? '');

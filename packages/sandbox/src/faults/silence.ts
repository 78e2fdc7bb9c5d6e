import { plain } from './fault.ts';

/** Accepts the request and never answers. */
export const hangKind = plain('hang', () => ({ kind: 'hang' }));

/** Resets the connection (RST) instead of answering. */
export const resetKind = plain('reset', () => ({ kind: 'reset' }));

import type { ExchangeHandler } from '@tallyport/bus';

/** A part of a request's life, around what follows it. */
export type LifeStep = (next: ExchangeHandler) => ExchangeHandler;

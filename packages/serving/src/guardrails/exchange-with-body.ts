import type { IncomingExchange } from '@tallyport/bus';
import type { RequestHead } from '@tallyport/contracts';
import { wholeBody } from '../replay/index.ts';

/** The exchange with another head and another body, which is in memory. */
export function exchangeWithBody(exchange: IncomingExchange, head: RequestHead, body: Uint8Array): IncomingExchange {
  return { ...exchange, head, body: wholeBody(body) };
}

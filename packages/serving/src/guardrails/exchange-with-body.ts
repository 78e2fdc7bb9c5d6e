import type { IncomingExchange } from '@switchyard/bus';
import type { RequestHead } from '@switchyard/contracts';
import { wholeBody } from '@switchyard/replay';

/** The exchange with another head and another body, which is in memory. */
export function exchangeWithBody(exchange: IncomingExchange, head: RequestHead, body: Uint8Array): IncomingExchange {
  const stillWanted = exchange.stillWanted?.bind(exchange);
  return { head, body: wholeBody(body), signal: exchange.signal, ...(stillWanted && { stillWanted }) };
}

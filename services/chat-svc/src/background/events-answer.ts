import type { ExchangeAnswer } from '@tallyport/bus';
import { streamHeaders } from '@tallyport/serving';
import { sseComment, sseText } from '@tallyport/wire';
import type { LoggedEvent } from './run-log.ts';

/** Events as server-sent events; a comment after each time of silence. */
export function eventsAnswer(
  events: AsyncIterable<readonly LoggedEvent[]>,
  { keepAliveMs }: { keepAliveMs: number },
): ExchangeAnswer {
  return { head: { status: 200, headers: streamHeaders }, body: written(events, keepAliveMs), opaque: true };
}

async function* written(
  events: AsyncIterable<readonly LoggedEvent[]>,
  keepAliveMs: number,
): AsyncGenerator<Uint8Array> {
  let sentAt = performance.now();
  for await (const some of events) {
    const isSilent = some.length === 0;
    if (isSilent && performance.now() - sentAt < keepAliveMs) continue;
    yield isSilent ? sseComment() : Buffer.from(some.map(({ type, json }) => sseText(json, type)).join(''));
    sentAt = performance.now();
  }
}

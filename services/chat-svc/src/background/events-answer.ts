import type { ExchangeAnswer } from '@tallyport/bus';
import { type ErrorForm, GatewayError } from '@tallyport/contracts';
import { streamHeaders } from '@tallyport/serving';
import { sseComment, sseText } from '@tallyport/wire';
import type { LoggedEvent } from './run-log.ts';

interface EventsForm {
  keepAliveMs: number;
  errors: ErrorForm;
}

/**
 * Events as server-sent events; a comment after each time of silence. If they cannot be read on, the last one is an error.
 * It does not fail the answer: an Idempotency-Key of it would begin another run.
 */
export function eventsAnswer(events: AsyncIterable<readonly LoggedEvent[]>, form: EventsForm): ExchangeAnswer {
  return { head: { status: 200, headers: streamHeaders }, body: unfailing(events, form), opaque: true };
}

async function* unfailing(
  events: AsyncIterable<readonly LoggedEvent[]>,
  { keepAliveMs, errors }: EventsForm,
): AsyncGenerator<Uint8Array> {
  try {
    yield* written(events, keepAliveMs);
  } catch (thrown) {
    if (!(thrown instanceof GatewayError)) throw thrown;
    yield Buffer.from(errors.lastEvent(thrown));
  }
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

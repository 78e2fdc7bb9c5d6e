import type { ExchangeAnswer } from '@tallyport/bus';
import { type ErrorForm, GatewayError } from '@tallyport/contracts';
import { streamHeaders } from '@tallyport/serving';
import { sseComment, sseDone, sseText } from '@tallyport/wire';
import type { LoggedEvent } from './run-log.ts';

export interface EventsForm {
  keepAliveMs: number;
  errors: ErrorForm;
  /** A stream that ended well says so after its last event. */
  untilDone?: true;
}

/**
 * Events as server-sent events; a comment after each time of silence. If they cannot be read on, the last one is an error, and
 * the answer has failed: an Idempotency-Key of it gets the same run again.
 */
export function eventsAnswer(events: AsyncIterable<readonly LoggedEvent[]>, form: EventsForm): ExchangeAnswer {
  let failed = false;
  async function* withError(): AsyncGenerator<Uint8Array> {
    try {
      yield* written(events, form.keepAliveMs);
      if (form.untilDone) yield sseDone();
    } catch (thrown) {
      if (!(thrown instanceof GatewayError)) throw thrown;
      failed = true;
      yield Buffer.from(form.errors.lastEvent(thrown));
    }
  }
  const head = { status: 200, headers: streamHeaders };
  return { head, body: withError(), opaque: true, failed: () => failed };
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

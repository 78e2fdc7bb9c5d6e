import { type Entry, eventReader, type StreamSubscription } from '@tallyport/serving/cache';
import type { ExchangeAnswer } from '@tallyport/bus';
import { GatewayError } from '@tallyport/contracts';
import { hitHeaders, jsonHeaders, StreamBody, streamHeaders } from '@tallyport/serving';
import { sseDone } from '@tallyport/wire';
import { chunksOf } from './chunks-of.ts';
import { type RecipientView, viewFor, type ChatRecipient } from './recipient-view.ts';
import { chunkIn, keptCompletion } from './kept-completion.ts';

/** Builds the recipient's answer, streamed or not, from an entry. Throws if the entry holds no valid answer. */
export function answerFrom(entry: Entry, recipient: ChatRecipient): ExchangeAnswer {
  const view = viewFor(recipient, entry.provider);
  const completion = view.completion(keptCompletion(entry));
  if (recipient.request.stream === true) return streamedAnswer(view, recipient, eventsOf(completion, view));
  const headers = { ...jsonHeaders, ...hitHeaders(view.served, recipient.planMs) };
  return { head: { status: 200, headers }, body: Buffer.from(JSON.stringify(completion)) };
}

type Completion = ReturnType<typeof keptCompletion>;

function eventsOf(completion: Completion, view: RecipientView): Buffer {
  const events = [...chunksOf(completion)].map(view.event);
  const all = [...events, view.usageEvent(completion.usage), sseDone()];
  return Buffer.concat(all.filter((event) => event !== undefined));
}

interface FollowedStream extends StreamSubscription {
  keepAliveMs: number;
}

/** The events of a running stream: those so far, then the others as they arrive. */
export function answerFromStream(
  recipient: ChatRecipient,
  { flight, provider, keepAliveMs, leave }: FollowedStream,
): ExchangeAnswer {
  const view = viewFor(recipient, provider);
  const next = eventReader(() => flight.log.bytes());
  let ended = false;
  const end = (last: Buffer | undefined): Buffer | undefined => {
    ended = true;
    leave();
    return last;
  };
  const read = async (): Promise<Buffer | undefined> => {
    while (!ended) {
      const events = arrived(next, view);
      if (events.length > 0) return Buffer.concat(events);
      const { result } = flight;
      if (result === undefined) await flight.progress();
      else if (result.kind === 'answer') return end(view.usageEvent(result.entry.usage));
      else throw result.kind === 'failed' ? result.error : brokenOff();
    }
    return undefined;
  };
  return streamedAnswer(view, recipient, new StreamBody({ source: { read, cancel: leave }, keepAliveMs }));
}

function arrived(next: () => Buffer | undefined, view: RecipientView): Buffer[] {
  const events: Buffer[] = [];
  for (let event = next(); event !== undefined; event = next()) {
    const shown = view.event(chunkIn(event));
    if (shown !== undefined) events.push(shown);
  }
  return events;
}

const brokenOff = (): GatewayError =>
  new GatewayError('stream_truncated', 'The shared answer broke off. Send the request again.');

const streamedAnswer = (
  view: RecipientView,
  recipient: ChatRecipient,
  body: ExchangeAnswer['body'],
): ExchangeAnswer => ({
  head: { status: 200, headers: { ...streamHeaders, ...hitHeaders(view.served, recipient.planMs) } },
  body,
});

import type { Entry, StreamSubscription } from '@tallyport/serving/cache';
import { eventReader } from '@tallyport/serving/cache';
import type { ExchangeAnswer } from '@tallyport/bus';
import { GatewayError } from '@tallyport/contracts';
import { hitHeaders, jsonHeaders, slicedAnswer, streamAnswer, type StreamSource } from '@tallyport/serving';
import { type AnswerEvent, documentOf } from '@tallyport/wire';
import { chunksOf } from './chunks-of.ts';
import { type RecipientView, viewFor, type ChatRecipient } from './recipient-view.ts';
import { chunkIn, keptCompletion } from './kept-completion.ts';

/** Builds the recipient's answer, streamed or not, from an entry. Rejects if the entry holds no valid answer. */
export async function answerFrom(entry: Entry, recipient: ChatRecipient): Promise<ExchangeAnswer> {
  const view = viewFor(recipient, entry.provider);
  const completion = view.completion(keptCompletion(entry));
  if (recipient.request.stream === true) return streamed(view, recipient, allAtOnce(eventsOf(completion, view)));
  const headers = { ...jsonHeaders, ...hitHeaders(view.served, recipient.planMs) };
  return slicedAnswer({ status: 200, headers }, await recipient.form.whole(documentOf(completion)));
}

type Completion = ReturnType<typeof keptCompletion>;

const eventsOf = (completion: Completion, view: RecipientView): AnswerEvent[] =>
  [...[...chunksOf(completion)].map(view.event), view.usageEvent(completion.usage)].filter(
    (event) => event !== undefined,
  );

function allAtOnce(events: AnswerEvent[]): StreamSource {
  const batches = [events];
  return { read: () => Promise.resolve(batches.pop()), cancel: () => {} };
}

/** The events of a running stream: those so far, then the others as they arrive. */
export function answerFromStream(
  recipient: ChatRecipient,
  { flight, provider, leave }: StreamSubscription,
): ExchangeAnswer {
  const view = viewFor(recipient, provider);
  const next = eventReader(() => flight.log.bytes());
  let ended = false;
  const end = (last: AnswerEvent | undefined): AnswerEvent[] | undefined => {
    ended = true;
    leave();
    return last && [last];
  };
  const read = async (): Promise<AnswerEvent[] | undefined> => {
    while (!ended) {
      const events = arrived(next, view);
      if (events.length > 0) return events;
      const { result } = flight;
      if (result === undefined) await flight.progress();
      else if (result.kind === 'answer') return end(view.usageEvent(result.entry.usage));
      else throw result.kind === 'failed' ? result.error : brokenOff();
    }
    return undefined;
  };
  return streamed(view, recipient, { read, cancel: leave });
}

function arrived(next: () => Buffer | undefined, view: RecipientView): AnswerEvent[] {
  const events: AnswerEvent[] = [];
  for (let event = next(); event !== undefined; event = next()) {
    const shown = view.event(chunkIn(event));
    if (shown !== undefined) events.push(shown);
  }
  return events;
}

const brokenOff = (): GatewayError =>
  new GatewayError('stream_truncated', 'The shared answer broke off. Send the request again.');

const streamed = (
  view: RecipientView,
  { form, planMs, keepAliveMs }: ChatRecipient,
  source: StreamSource,
): ExchangeAnswer => streamAnswer(hitHeaders(view.served, planMs), { source, form: form.stream(), keepAliveMs });

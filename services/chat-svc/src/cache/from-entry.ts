import { type Entry, eventReader, type Reading } from '@switchyard/answer-cache';
import type { ExchangeAnswer } from '@switchyard/bus';
import { GatewayError } from '@switchyard/contracts';
import { hitHeaders, StreamBody, streamHeaders } from '@switchyard/serving';
import { sseDone } from '@switchyard/wire';
import { chunksOf } from './chunks-of.ts';
import { type Guise, guiseFor, type ChatRecipient } from './guise.ts';
import { chunkIn, keptCompletion } from './kept-completion.ts';

/** A whole answer, in the form that is asked for now. Throws for an entry that holds none. */
export function answerFrom(entry: Entry, receiver: ChatRecipient): ExchangeAnswer {
  const guise = guiseFor(receiver, entry.provider);
  const completion = guise.completion(keptCompletion(entry));
  if (receiver.request.stream === true) return streamedAnswer(guise, receiver, eventsOf(completion, guise));
  const headers = { 'content-type': 'application/json; charset=utf-8', ...hitHeaders(guise.served, receiver.planMs) };
  return { head: { status: 200, headers }, body: Buffer.from(JSON.stringify(completion)) };
}

type Completion = ReturnType<typeof keptCompletion>;

function eventsOf(completion: Completion, guise: Guise): Buffer {
  const events = [...chunksOf(completion)].map(guise.event);
  const all = [...events, guise.usageEvent(completion.usage), sseDone()];
  return Buffer.concat(all.filter((event) => event !== undefined));
}

export interface Along extends Reading {
  keepAliveMs: number;
}

/** The events of a stream that somebody else has begun: those that have come, then those that come. */
export function answerAlong(receiver: ChatRecipient, { flight, provider, keepAliveMs, leave }: Along): ExchangeAnswer {
  const guise = guiseFor(receiver, provider);
  const next = eventReader(() => flight.log.bytes());
  let ended = false;
  const end = (last: Buffer | undefined): Buffer | undefined => {
    ended = true;
    leave();
    return last;
  };
  const read = async (): Promise<Buffer | undefined> => {
    while (!ended) {
      const events = arrived(next, guise);
      if (events.length > 0) return Buffer.concat(events);
      const { landing } = flight;
      if (landing === undefined) await flight.progress();
      else if (landing.kind === 'answer') return end(guise.usageEvent(landing.entry.usage));
      else throw landing.kind === 'failed' ? landing.error : brokenOff();
    }
    return undefined;
  };
  return streamedAnswer(guise, receiver, new StreamBody({ source: { read, cancel: leave }, keepAliveMs }));
}

function arrived(next: () => Buffer | undefined, guise: Guise): Buffer[] {
  const events: Buffer[] = [];
  for (let event = next(); event !== undefined; event = next()) {
    const shown = guise.event(chunkIn(event));
    if (shown !== undefined) events.push(shown);
  }
  return events;
}

const brokenOff = (): GatewayError =>
  new GatewayError('stream_truncated', 'The answer this one was shared with broke off. Ask again.');

const streamedAnswer = (guise: Guise, receiver: ChatRecipient, body: ExchangeAnswer['body']): ExchangeAnswer => ({
  head: { status: 200, headers: { ...streamHeaders, ...hitHeaders(guise.served, receiver.planMs) } },
  body,
});

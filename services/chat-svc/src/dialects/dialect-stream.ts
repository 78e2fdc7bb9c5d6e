import type { DialectEvent, PassedEvent, StreamFraming } from '@tallyport/dialects';
import type { StreamForm } from '@tallyport/serving';
import type { AnswerEvent, VendorEvent } from '@tallyport/wire';
import { eventWriter } from './event-writer.ts';
import type { AnsweredLane } from './events.ts';
import type { SpokenPassedAnswer, SpokenPassedEvents, SpokenStream } from './spoken-dialect.ts';

/** How the events of one answer are written. */
interface DialectStreamOptions {
  /** Called once, with the first event or the end. */
  answered(lane: AnsweredLane): void;
  framing?: StreamFraming | undefined;
  passed?: SpokenPassedAnswer | undefined;
}

/** Writes the chunks of a chat as events of another API. Events of a vendor with that API are passed on. */
export function dialectStream(
  stream: SpokenStream,
  { framing = 'events', passed, answered }: DialectStreamOptions,
): StreamForm {
  const writer = eventWriter(framing);
  let lane: AnsweredLane | undefined;
  /** Of an API whose events are followed to end the answer. */
  let following: SpokenPassedEvents | undefined;

  function begin(as: AnsweredLane): void {
    if (lane === undefined) answered(as);
    // The vendor's events begin and end the answer by themselves, also after chunks of ours.
    if (lane !== 'native') lane = as;
    if (as === 'native') following ??= passed?.stream();
  }

  const passedOn = (event: VendorEvent): Buffer =>
    following === undefined
      ? writer.passed(event)
      : writer.events(following.event({ event: event.name, json: event.data.toString() }));

  function written(event: AnswerEvent): Buffer {
    if (event.kind === 'document') throw new TypeError('A chat has no events but chunks.');
    begin(event.kind === 'passed' ? 'native' : 'translated');
    return event.kind === 'passed' ? passedOn(event) : writer.events(stream.chunk(event.chunk).map(inJson));
  }

  async function lastEvents(): Promise<PassedEvent[]> {
    if (lane === 'native') return (await following?.end()) ?? [];
    begin('translated');
    return (await stream.end()).map(inJson);
  }

  return {
    contentType: writer.contentType,
    hasIds: false,
    write: (events) => events.map(written),
    end: async () => [writer.events(await lastEvents()), writer.end(false)],
    fail: (error) => [writer.events(following?.fail(error) ?? stream.fail(error).map(inJson)), writer.end(true)],
    silence() {
      const ping = lane === 'native' ? undefined : stream.ping?.();
      return [ping === undefined ? writer.silence() : writer.events(ping.map(inJson))];
    },
  };
}

const inJson = ({ event, data }: DialectEvent): PassedEvent => ({ event, json: JSON.stringify(data) });

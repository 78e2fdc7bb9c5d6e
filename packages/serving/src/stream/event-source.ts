import type { AnswerEvent } from '@tallyport/wire';
import type { StreamSource } from './stream-body.ts';

/** A source of events that are all there. An event is not kept after it was read. */
export function eventSource(events: Iterator<AnswerEvent>): StreamSource {
  return {
    read() {
      const { value } = events.next();
      return Promise.resolve(value === undefined ? undefined : [value as AnswerEvent]);
    },
    cancel: () => void events.return?.(),
  };
}

import type { ChunkGuard } from '@tallyport/guardrails';
import { type AnswerEvent, chunkEvent, documentEvent } from '@tallyport/wire';
import type { StreamSource } from '../stream/stream-body.ts';
import { replacedSource } from './replaced-source.ts';

export interface EventGuard extends ChunkGuard {
  /** An event that is no chunk of a chat. Throws `guardrail_blocked`. */
  event(event: object): object;
}

/**
 * The events of a source after the rules for answers. If a rule blocks, the provider is left and `read` fails. If the
 * source fails, what was held back of its text is returned first.
 */
export const guardedSource = (source: StreamSource, guard: EventGuard, onEnd: () => void): StreamSource =>
  replacedSource(source, {
    replace: (events) =>
      events === undefined ? guard.end().map(chunkEvent) : events.flatMap((event) => guarded(event, guard)),
    onEnd,
  });

/** The same for an answer whose events are all there. */
export function* guardedEvents(events: Iterator<AnswerEvent>, guard: EventGuard): Generator<AnswerEvent, undefined> {
  try {
    for (let next = events.next(); next.done !== true; next = events.next()) yield* guarded(next.value, guard);
    yield* guard.end().map(chunkEvent);
  } finally {
    events.return?.();
  }
}

function guarded(event: AnswerEvent, guard: EventGuard): AnswerEvent[] {
  switch (event.kind) {
    case 'chunk':
      return guard.chunk(event.chunk).map((chunk) => (chunk === event.chunk ? event : chunkEvent(chunk)));
    case 'document':
      return [documentEvent(event.name, guard.event(event.document.value() as object))];
    case 'passed':
      throw notInspected();
    default:
      return event satisfies never;
  }
}

/** Requests of callers with rules for answers are translated. */
export const notInspected = (): TypeError => new TypeError('Events of a vendor are not inspected.');

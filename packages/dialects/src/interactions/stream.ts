import type { DialectEvent, DialectStream } from '../dialect.ts';
import type { EmitInteractionEvent } from './answer-types.ts';
import { createInteractionWriter, type Interaction, type InteractionTerms, type InteractionWriter } from './writer.ts';

export interface InteractionStream extends DialectStream {
  /** The answer with its steps, which its last event does not have; `undefined` before `end`. */
  whole(): Interaction | undefined;
}

/** The events of one streamed answer. All of them are numbered without gaps. */
export function createInteractionStream(terms: InteractionTerms): InteractionStream {
  let events: DialectEvent[] = [];
  let sent = 0;
  let writer: InteractionWriter | undefined;
  let whole: Interaction | undefined;

  const emit: EmitInteractionEvent = (type, members) => {
    sent += 1;
    events.push({ event: type, data: { event_type: type, event_id: String(sent), ...members } });
  };

  const begun = (served?: string): InteractionWriter => (writer ??= createInteractionWriter(terms, served, emit));

  function taken(): DialectEvent[] {
    const ready = events;
    events = [];
    return ready;
  }

  return {
    chunk(chunk) {
      begun(chunk.model).note(chunk);
      const choice = chunk.choices.find(({ index }) => index === 0);
      if (choice !== undefined) begun().add(choice.delta, choice.finish_reason);
      return taken();
    },
    end() {
      whole = begun().end();
      return taken();
    },
    fail(error) {
      begun().fail(error);
      return taken();
    },
    whole: () => whole,
  };
}

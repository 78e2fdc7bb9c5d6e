import { toGatewayError } from '@tallyport/contracts';
import type { DialectEvent, DialectStream } from '../dialect.ts';
import type { EmitEvent } from './output-events.ts';
import type { ResponsesResponse } from './response.ts';
import { createResponseWriter, type ResponsesContext, type ResponseWriter } from './writer.ts';

/** An event of this API. The last one of a stream has the whole response. */
interface ResponsesEvent extends DialectEvent {
  data: { type: string; sequence_number: number; response?: ResponsesResponse };
}

export interface ResponsesStream extends DialectStream {
  end(): ResponsesEvent[];
}

/** The events of one streamed response. All of them are numbered without gaps. */
export function createResponsesStream(context: ResponsesContext): ResponsesStream {
  let events: ResponsesEvent[] = [];
  let sent = 0;
  let writer: ResponseWriter | undefined;

  const emit: EmitEvent = (type, members) => {
    events.push({ event: type, data: { type, sequence_number: sent++, ...members } });
  };

  /** A response exists with its first event, also where it only fails. */
  const begun = (served?: string): ResponseWriter => (writer ??= createResponseWriter(context, served, emit));

  function taken(): ResponsesEvent[] {
    const ready = events;
    events = [];
    return ready;
  }

  return {
    chunk(chunk) {
      begun(chunk.model).note(chunk);
      const choice = chunk.choices.find(({ index }) => index === 0);
      if (choice !== undefined) {
        const { delta, logprobs, finish_reason: finish } = choice;
        begun().add({ delta, logprobs: logprobs?.content ?? [], finish });
      }
      return taken();
    },
    end() {
      try {
        begun().end();
      } catch (thrown) {
        begun().fail(toGatewayError(thrown));
      }
      return taken();
    },
    fail(error) {
      begun().fail(error);
      return taken();
    },
  };
}

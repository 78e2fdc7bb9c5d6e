import { errorBody, type GatewayError } from '@tallyport/contracts';
import type { RefusalForm } from '@tallyport/limits';
import { type AnswerDocument, type AnswerEvent, eventSlices, encodeSse, sseComment, sseDone } from '@tallyport/wire';

/** The API of a request: it makes bytes of the answer, after every other step. */
export interface ApiForm {
  /** A whole answer in slices. */
  whole(document: AnswerDocument): Buffer[] | Promise<Buffer[]>;
  /** How the events of one answer are written. */
  stream(): StreamForm;
  /** A refusal that is answered with headers of its own, not thrown. */
  refusal(error: GatewayError): RefusalForm;
}

/** Writes the events of one streamed answer. Each method returns the bytes to send next, in slices. */
export interface StreamForm {
  readonly contentType: string;
  /** Events can have ids, from which a client continues. */
  readonly hasIds: boolean;
  write(events: readonly AnswerEvent[]): Buffer[];
  /** After the last event of a stream that ended well. */
  end(): Buffer[] | Promise<Buffer[]>;
  fail(error: GatewayError): Buffer[];
  /** Sent while nothing else is, so that no proxy closes the connection. Empty where nothing may be sent. */
  silence(): Buffer[];
}

/** Without a list for each event: nearly all of them are one slice. */
function slicesOf(events: readonly AnswerEvent[]): Buffer[] {
  const slices: Buffer[] = [];
  for (const event of events) {
    if (event.kind === 'chunk' && event.document === undefined) slices.push(event.bytes);
    else slices.push(...eventSlices(event));
  }
  return slices;
}

const sse: StreamForm = {
  contentType: 'text/event-stream; charset=utf-8',
  hasIds: true,
  write: slicesOf,
  end: () => [sseDone()],
  fail: (error) => [encodeSse(JSON.stringify(errorBody(error)))],
  silence: () => [sseComment()],
};

/** The form of OpenAI's own endpoints. */
export const openAiAnswerForm: ApiForm = {
  whole: (document) => document.slices(),
  stream: () => sse,
  refusal: (error) => ({ status: error.status, body: errorBody(error) }),
};

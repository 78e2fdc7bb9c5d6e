import type { Body, ExchangeAnswer } from '@tallyport/bus';
import { toGatewayError } from '@tallyport/contracts';
import type { StreamFraming } from '@tallyport/dialects';
import { createSseDecoder } from '@tallyport/wire';
import { type EventTranslator, eventTranslator } from './event-translator.ts';
import { type EventWriter, eventWriter } from './frame-events.ts';
import type { SpokenPassedAnswer, SpokenStream } from './spoken-dialect.ts';

/** Our own chunks are never larger. */
const maxFrameBytes = 256 * 1024 * 1024;

/** How the events of one answer are written. */
export interface StreamForm {
  framing?: StreamFraming | undefined;
  passed?: SpokenPassedAnswer | undefined;
}

/** The events of a chat's stream as events of another API. What arrives together leaves together. */
export function translateStream(
  stream: SpokenStream,
  { head, body }: ExchangeAnswer,
  { framing = 'events', passed }: StreamForm = {},
): ExchangeAnswer {
  const writer = eventWriter(framing, { follows: passed !== undefined });
  const headers = { ...head.headers, 'content-type': writer.contentType };
  return { head: { ...head, headers }, body: translated(eventTranslator(stream, passed), body, writer) };
}

async function* translated(translator: EventTranslator, body: Body, writer: EventWriter): AsyncGenerator<Uint8Array> {
  const decoder = createSseDecoder({ maxFrameBytes });
  const pieces = body instanceof Uint8Array ? [body] : body;
  try {
    for await (const piece of pieces) {
      // Pieces are whole events, so the decoder holds nothing between them.
      const passed = writer.passed(piece);
      if (passed !== undefined) {
        translator.passed();
        yield passed;
        continue;
      }
      const frames = decoder.push(piece);
      const { events, ending } = translator.frames(frames);
      if (ending === 'whole') events.push(...(await translator.end()));
      const said = events.length > 0 || frames.length > 0 ? events : translator.ping();
      const bytes = said === undefined ? writer.silence() : writer.events(said);
      if (bytes.length > 0) yield bytes;
      if (ending === undefined) continue;
      const last = writer.end(ending === 'failed');
      if (last.length > 0) yield last;
      return;
    }
  } catch (thrown) {
    yield Buffer.concat([writer.events(translator.fail(toGatewayError(thrown))), writer.end(true)]);
  }
}

import type { AnswerDocument, AnswerEvent } from '@tallyport/wire';
import type { BytesAnswer, PaidAnswer, WholeAnswer } from '../paid-request.ts';
import type { ContentPiece, ContentReader } from '../content-reader.ts';
import type { Source } from '../stream/stream-body.ts';
import { readBytes, readEvents, readWhole } from './answer-pieces.ts';
import type { Gathering } from './gathering.ts';

/** The same answer, which is gathered while it is sent. */
export function gatheredAnswer(answer: PaidAnswer, reader: ContentReader, gathering: Gathering): PaidAnswer {
  const { content } = answer;
  switch (content.kind) {
    case 'bytes':
      return { ...answer, content: gatheredBytes(content, gathering) };
    case 'stream':
      return { ...answer, content: { ...content, source: tapped(content.source, readEvents(reader), gathering) } };
    case 'whole':
      return { ...answer, content: gatheredWhole(content, reader, gathering) };
  }
}

/** Of an answer that is sent as events, the document may be made as well: for the cache. */
function gatheredWhole(content: WholeAnswer, reader: ContentReader, gathering: Gathering): WholeAnswer {
  const { document, events } = content;
  if (events !== undefined) {
    return { ...content, events: () => tappedIterator(events(), reader, gathering) };
  }
  const gather = (): void => {
    gathering.answer(() => readWhole(document, reader));
    gathering.end();
  };
  const gathered: AnswerDocument = {
    ...document,
    value() {
      gather();
      return document.value();
    },
    slices() {
      gather();
      return document.slices();
    },
  };
  return { ...content, document: gathered };
}

function gatheredBytes(content: BytesAnswer, gathering: Gathering): BytesAnswer {
  const read = readBytes(content.headers['content-type'] ?? '');
  return { ...content, source: tapped(content.source, read, gathering) };
}

function tapped<Piece>(
  source: Source<Piece>,
  read: (piece: Piece) => ContentPiece[],
  gathering: Gathering,
): Source<Piece> {
  return {
    async read() {
      try {
        const piece = await source.read();
        if (piece === undefined) gathering.end();
        else if (!gathering.isFull()) gathering.answer(() => read(piece));
        return piece;
      } catch (thrown) {
        gathering.end();
        throw thrown;
      }
    },
    cancel() {
      gathering.end();
      source.cancel();
    },
  };
}

function* tappedIterator(
  events: Iterator<AnswerEvent>,
  reader: ContentReader,
  gathering: Gathering,
): Generator<AnswerEvent> {
  const read = readEvents(reader);
  try {
    for (let next = events.next(); next.done !== true; next = events.next()) {
      const event = next.value;
      gathering.answer(() => read([event]));
      yield event;
    }
  } finally {
    gathering.end();
    events.return?.();
  }
}

import type { BytesAnswer, PaidAnswer, WholeAnswer } from '../paid-request.ts';
import type { StreamSource } from '../stream/stream-body.ts';
import { type ReadPieces, readBytes, readWhole, readEvents } from './answer-pieces.ts';
import type { ContentReader } from '../content-reader.ts';
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
    return { ...content, events: () => tappedIterator(events(), readEvents(reader), gathering) };
  }
  return {
    ...content,
    document() {
      const slices = document();
      // The list is emptied while it is sent.
      const kept = [...slices];
      gathering.answer(() => readWhole(kept, reader));
      gathering.end();
      return slices;
    },
  };
}

function gatheredBytes(content: BytesAnswer, gathering: Gathering): BytesAnswer {
  const read = readBytes(content.headers['content-type'] ?? '');
  return { ...content, source: tapped(content.source, read, gathering) };
}

function tapped(source: StreamSource, read: ReadPieces, gathering: Gathering): StreamSource {
  return {
    async read() {
      try {
        const bytes = await source.read();
        if (bytes === undefined) gathering.end();
        else if (!gathering.isFull()) gathering.answer(() => read(bytes));
        return bytes;
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

function* tappedIterator(slices: Iterator<Buffer>, read: ReadPieces, gathering: Gathering): Generator<Buffer> {
  try {
    for (let next = slices.next(); next.done !== true; next = slices.next()) {
      const bytes = next.value;
      gathering.answer(() => read(bytes));
      yield bytes;
    }
  } finally {
    gathering.end();
    slices.return?.();
  }
}

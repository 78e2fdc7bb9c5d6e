import { isStream } from './record.ts';
import type { Recording } from './recording.ts';
import { type BegunAnswer, storedPieceBytes, type ResultWriter, type WriteOutcome } from './result-writer.ts';

/** Writes a recording to the store. */
interface RecordingWriter {
  stop(): void;
  /** Writes the rest, after the recording has ended. Resolves with `stored` if all of it can be read. */
  rest(): Promise<WriteOutcome>;
}

/** How often a stream is written, for clients that reconnect to another replica. */
const writeEveryMs = 500;

export function storeRecording(recording: Recording, result: ResultWriter, answer: BegunAnswer): RecordingWriter {
  const stream = isStream(answer);
  let at = 0;
  let written: WriteOutcome = 'stored';
  const flush = async (): Promise<void> => {
    if (!recording.kept) return;
    const pieces = recording.pieces.slice(at);
    at += pieces.length;
    for (const batch of batches(pieces)) {
      if (written !== 'stored') return;
      written = await result.write(batch);
    }
  };
  let flushed = Promise.resolve();
  const flushNext = (): Promise<void> => (flushed = flushed.then(flush));
  if (stream) result.begin(answer);
  const timer = stream ? setInterval(() => void flushNext(), writeEveryMs) : undefined;
  return {
    stop: () => clearInterval(timer),
    async rest() {
      if (!stream) result.begin(answer);
      await flushNext();
      return written;
    },
  };
}

/** Joins small pieces and leaves large ones as they are. */
function* batches(pieces: readonly Buffer[]): Generator<Buffer> {
  let batch: Buffer[] = [];
  let bytes = 0;
  for (const piece of pieces) {
    batch.push(piece);
    bytes += piece.length;
    if (bytes < storedPieceBytes) continue;
    yield Buffer.concat(batch);
    batch = [];
    bytes = 0;
  }
  if (bytes > 0) yield Buffer.concat(batch);
}

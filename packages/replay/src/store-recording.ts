import type { ResponseHead } from '@switchyard/contracts';
import type { Recording } from './recording.ts';
import { storedPieceBytes, type ResultWriter } from './result-writer.ts';

/** Writes a recording to the store. */
export interface RecordingWriter {
  stop(): void;
  /** Writes the rest, after the recording has ended. Resolves with `false` unless all of it can certainly be read. */
  rest(): Promise<boolean>;
}

/** How often a stream is written, for clients that reconnect to another replica. */
const writeEveryMs = 500;

export function storeRecording(
  recording: Recording,
  result: ResultWriter,
  { head, stream }: { head: ResponseHead; stream: boolean },
): RecordingWriter {
  let at = 0;
  let good = true;
  const flush = async (): Promise<void> => {
    if (!recording.kept) return;
    const pieces = recording.pieces.slice(at);
    at += pieces.length;
    for (const batch of batches(pieces)) good = good && (await result.write(batch));
  };
  let flushed = Promise.resolve();
  const flushNext = (): Promise<void> => (flushed = flushed.then(flush));
  if (stream) result.begin(head);
  const timer = stream ? setInterval(flushNext, writeEveryMs) : undefined;
  return {
    stop: () => clearInterval(timer),
    async rest() {
      if (!stream) result.begin(head);
      await flushNext();
      return good;
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

import type { AnswerRoom } from '../answer/answer-room.ts';
import type { StreamSource } from './stream-body.ts';

/** The source of an answer that may hold memory, which is released once it was read to its end, or left. */
export function heldSource(source: StreamSource, room: AnswerRoom | undefined): StreamSource {
  if (room === undefined || room.held === 0) return source;
  return {
    async read() {
      const events = await source.read().catch((thrown: unknown) => {
        room.release();
        throw thrown;
      });
      if (events === undefined) room.release();
      return events;
    },
    cancel() {
      room.release();
      source.cancel();
    },
  };
}

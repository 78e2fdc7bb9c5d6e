import type { ChunkGuard } from '@tallyport/guardrails';
import { type ChatChunk, createSseDecoder, encodeSse, frameText, sseText } from '@tallyport/wire';
import type { StreamSource } from '../stream/stream-body.ts';
import { replacedSource } from './replaced-source.ts';

/** Our own events are never larger. */
export const maxEventBytes = 256 * 1024 * 1024;

export interface EventGuard extends ChunkGuard {
  /** An event that is no chunk of a chat. Throws `guardrail_blocked`. */
  event(event: object): object;
}

/**
 * The events of a source after the rules for answers. If a rule blocks, the provider is left and `read` fails. If the
 * source fails, what was held back of its text is returned first.
 */
export function guardedSource(source: StreamSource, guard: EventGuard, onEnd: () => void): StreamSource {
  const guardEvents = eventGuard(guard);
  return replacedSource(source, {
    replace: (bytes) => (bytes === undefined ? written(guard.end()) : Buffer.concat(guardEvents(bytes))),
    onEnd,
  });
}

/** The same for an answer whose events are all there. */
export function* guardedSlices(slices: Iterator<Buffer>, guard: EventGuard): Generator<Buffer, undefined> {
  const guardEvents = eventGuard(guard);
  try {
    for (let next = slices.next(); next.done !== true; next = slices.next()) yield* guardEvents(next.value);
    yield written(guard.end());
  } finally {
    slices.return?.();
  }
}

/** The bytes are whole events. */
function eventGuard(guard: EventGuard): (bytes: Uint8Array) => Buffer[] {
  const decoder = createSseDecoder({ maxFrameBytes: maxEventBytes });
  return (bytes) =>
    decoder.push(bytes).map((frame) => {
      const event: object = JSON.parse(frameText(frame));
      return isChunk(event)
        ? written(guard.chunk(event))
        : Buffer.from(sseText(JSON.stringify(guard.event(event)), frame.event));
    });
}

export const isChunk = (event: object): event is ChatChunk => 'choices' in event && Array.isArray(event.choices);

const written = (chunks: readonly ChatChunk[]): Buffer =>
  Buffer.concat(chunks.map((chunk) => encodeSse(JSON.stringify(chunk))));

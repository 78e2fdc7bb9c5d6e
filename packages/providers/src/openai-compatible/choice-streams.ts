import type { ChunkChoice } from '@switchyard/wire';
import { unreadableAnswer } from '../faults/broken-answer.ts';
import { type ChoiceStream, createChoiceStream } from './choice-stream.ts';
import { openAiFault } from './error.ts';
import { isMembers, items, type Members, members, finiteNumber } from '../read.ts';
import type { AnswerContext } from './vendor.ts';

/** More than clients may ask for is another protocol, or an attack. */
const MOST_CHOICES = 128;

/** All choices of a stream, which may interleave. */
export interface ChoiceStreams {
  /** What the choices of one chunk say. */
  read(body: Members): ChunkChoice[];
  /** As many as were asked for have told their end. */
  finished(): boolean;
  /** The ends that the vendor left out. */
  finish(): ChunkChoice[];
}

export function createChoiceStreams(context: AnswerContext): ChoiceStreams {
  const streams = new Map<number, ChoiceStream>();
  const wanted = Math.max(1, context.call.request.n ?? 1);

  function read(choice: Members, position: number): ChunkChoice[] {
    if (isMembers(choice.error)) throw openAiFault(choice, context.vendor);
    const index = finiteNumber(choice.index) ?? position;
    return (streams.get(index) ?? open(index)).read(choice);
  }

  function open(index: number): ChoiceStream {
    if (streams.size >= MOST_CHOICES) throw unreadableAnswer(context.vendor.id, 'The stream has too many choices.');
    const stream = createChoiceStream(index, context);
    streams.set(index, stream);
    return stream;
  }

  return {
    read: (body) => items(body.choices).flatMap((choice, position) => read(members(choice), position)),
    finished: () => streams.size >= wanted && [...streams.values()].every((stream) => stream.finished()),
    finish: () => [...streams.values()].flatMap((stream) => (stream.finished() ? [] : stream.finish())),
  };
}

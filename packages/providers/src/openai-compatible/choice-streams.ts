import type { ChunkChoice } from '@switchyard/wire';
import { unreadableAnswer } from '../faults/broken-answer.ts';
import { type ChoiceStream, createChoiceStream } from './choice-stream.ts';
import { openAiFault } from './error.ts';
import { isMembers, items, type Members, members, finiteNumber } from '../read.ts';
import type { AnswerContext } from './vendor.ts';

/** More choices than clients may request mean another protocol, or an attack. */
const MAX_CHOICES = 128;

/** All choices of a stream, which may interleave. */
export interface ChoiceStreams {
  /** The translated choices of one chunk. */
  read(body: Members): ChunkChoice[];
  /** Whether every requested choice has its finish reason. */
  finished(): boolean;
  /** The finish reasons the vendor left out. */
  finish(): ChunkChoice[];
}

export function createChoiceStreams(context: AnswerContext): ChoiceStreams {
  const streams = new Map<number, ChoiceStream>();
  let finished = 0;
  const wanted = Math.max(1, context.call.request.n ?? 1);

  function read(choice: Members, position: number): ChunkChoice[] {
    if (isMembers(choice.error)) throw openAiFault(choice, context.vendor);
    const index = finiteNumber(choice.index) ?? position;
    const stream = streams.get(index) ?? open(index);
    const wasFinished = stream.finished();
    const choices = stream.read(choice);
    if (!wasFinished && stream.finished()) finished += 1;
    return choices;
  }

  function open(index: number): ChoiceStream {
    if (streams.size >= MAX_CHOICES) throw unreadableAnswer(context.vendor.id, 'The stream has too many choices.');
    const stream = createChoiceStream(index, context);
    streams.set(index, stream);
    return stream;
  }

  return {
    read: (body) => items(body.choices).flatMap((choice, position) => read(members(choice), position)),
    finished: () => streams.size >= wanted && finished === streams.size,
    finish() {
      finished = streams.size;
      return [...streams.values()].flatMap((stream) => (stream.finished() ? [] : stream.finish()));
    },
  };
}

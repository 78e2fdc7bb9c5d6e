import type { ChunkChoice } from '@tallyport/wire';
import { unreadableAnswer } from '../faults/broken-answer.ts';
import { type ChoiceStream, createChoiceStream } from './choice-stream.ts';
import { openAiFault } from './error.ts';
import { isMembers, items, type Members, members, finiteNumber } from '../read.ts';
import type { AnswerContext } from './vendor.ts';

/** More choices than clients may request mean another protocol, or an attack. */
const MAX_CHOICES = 128;

/** All choices of a stream, which may interleave. */
interface ChoiceStreams {
  /** The translated choices of one chunk. */
  read(body: Members): ChunkChoice[];
  /** Whether every requested choice has its finish reason. */
  finished(): boolean;
  /** The finish reasons the vendor left out. */
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
    if (streams.size >= MAX_CHOICES) throw unreadableAnswer(context.vendor.id, 'The stream has too many choices.');
    const stream = createChoiceStream(index, context);
    streams.set(index, stream);
    return stream;
  }

  return {
    read: (body) => items(body.choices).flatMap((choice, position) => read(members(choice), position)),
    finished: () => streams.size >= wanted && areFinished(streams.values()),
    finish: () => [...streams.values()].flatMap((stream) => (stream.finished() ? [] : stream.finish())),
  };
}

/** Called for every translated frame, so it makes no list of the streams. */
function areFinished(streams: Iterable<ChoiceStream>): boolean {
  for (const stream of streams) if (!stream.finished()) return false;
  return true;
}

import type { ChatChunk, ChunkDelta, Frame } from '@tallyport/wire';
import { type ByteRange, stringMember } from './string-member.ts';
import { canonicalBody } from './string-body.ts';

/** A frame that was fully translated, and the result. */
export interface Lesson {
  frame: Frame;
  chunks: readonly ChatChunk[];
  /** The chunks as the bytes sent to the client. Read only of a text, so that it may be made then. */
  readonly output: Buffer;
}

/** The bytes around the text, in the vendor's frame and in the client's. */
export interface Surroundings {
  event: string | undefined;
  before: Buffer;
  after: Buffer;
  /** If padding of varying content follows `after` and is dropped: the bytes behind that padding. */
  afterPadding: Buffer | undefined;
  outputBefore: Buffer;
  outputAfter: Buffer;
}

/** Padding that hides the length of the text on the vendor's connection. */
const paddings = ['obfuscation', 'p'];

/** The vendors' names of a delta's texts. The first one that holds the text is used. */
const vendorNames = {
  content: ['content', 'text'],
  reasoning_content: ['reasoning_content', 'reasoning', 'text'],
} as const;

type TextName = keyof typeof vendorNames;

/** Derived from a lesson; `undefined` unless the frame has exactly one text. */
export function surroundingsIn(lesson: Lesson): Surroundings | undefined {
  const { frame, chunks } = lesson;
  const textDelta = plainText(chunks);
  if (textDelta === undefined) return undefined;
  const { output } = lesson;
  const literal = Buffer.from(JSON.stringify(textDelta.text).slice(1, -1));
  const [from] = spansOf(frame.data, vendorNames[textDelta.name], literal);
  // Our name is the first; a frame that is passed on keeps the vendor's.
  const [to, second] = spansOf(output, vendorNames[textDelta.name], literal);
  // A client may get the text under two names.
  if (from === undefined || to === undefined || second !== undefined) return undefined;
  const padding = droppedPadding({ data: frame.data, from: from.end, output });
  // Copied, because views would keep whole socket reads alive.
  return {
    event: frame.event,
    before: Buffer.from(frame.data.subarray(0, from.start)),
    after: Buffer.from(frame.data.subarray(from.end, padding?.start)),
    afterPadding: padding && Buffer.from(frame.data.subarray(padding.end)),
    outputBefore: Buffer.from(output.subarray(0, to.start)),
    outputAfter: Buffer.from(output.subarray(to.end)),
  };
}

function plainText(chunks: readonly ChatChunk[]): { name: TextName; text: string } | undefined {
  const [chunk] = chunks;
  if (chunk === undefined || chunks.length !== 1 || chunk.usage !== undefined || chunk.choices.length !== 1) return;
  const [choice] = chunk.choices;
  if (choice === undefined || choice.finish_reason !== null || choice.logprobs) return;
  return Object.keys(choice.delta).length === 1 ? onlyText(choice.delta) : undefined;
}

function onlyText(delta: ChunkDelta): { name: TextName; text: string } | undefined {
  if (delta.content) return { name: 'content', text: delta.content };
  return delta.reasoning_content ? { name: 'reasoning_content', text: delta.reasoning_content } : undefined;
}

function spansOf(bytes: Buffer, names: readonly string[], literal: Buffer): ByteRange[] {
  return names
    .flatMap((name) => stringMember(bytes, name) ?? [])
    .filter((span) => canonicalBody(bytes.subarray(span.start, span.end))?.equals(literal));
}

interface Padded {
  data: Buffer;
  from: number;
  output: Buffer;
}

/** Padding after the text that is not sent to clients. Padding that is sent counts as an ordinary member. */
function droppedPadding({ data, from, output }: Padded): ByteRange | undefined {
  const name = paddings.find((each) => (stringMember(data, each)?.start ?? 0) > from);
  return name === undefined || output.includes(`"${name}"`) ? undefined : stringMember(data, name);
}

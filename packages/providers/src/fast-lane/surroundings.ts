import type { ChatChunk, ChunkDelta, Frame } from '@switchyard/wire';
import { type ByteRange, stringMember } from './string-member.ts';
import { canonicalBody } from './string-body.ts';

/** A frame that went the slow way, and what became of it. */
export interface Lesson {
  frame: Frame;
  chunks: readonly ChatChunk[];
  /** The chunks as the bytes the client gets. */
  output: Buffer;
}

/** What stands around the text, on its way in and out. */
export interface Surroundings {
  event: string | undefined;
  before: Buffer;
  after: Buffer;
  /** Where a padding that changes and is dropped follows `after`: what stands behind it. */
  afterPadding: Buffer | undefined;
  outputBefore: Buffer;
  outputAfter: Buffer;
}

/** Padding against guessing texts by their length; the vendor's, for its own connection. */
const paddings = ['obfuscation', 'p'];

/** What vendors call the texts of a delta. The first that holds the text is the one that was read. */
const vendorNames = {
  content: ['content', 'text'],
  reasoning_content: ['reasoning_content', 'reasoning', 'text'],
} as const;

type TextName = keyof typeof vendorNames;

/** Read out of a lesson, or `undefined` when it says more than one text. */
export function surroundingsIn({ frame, chunks, output }: Lesson): Surroundings | undefined {
  const said = plainText(chunks);
  if (said === undefined) return undefined;
  const literal = Buffer.from(JSON.stringify(said.text).slice(1, -1));
  const from = spanOf(frame.data, vendorNames[said.name], literal);
  const to = spanOf(output, [said.name], literal);
  if (from === undefined || to === undefined) return undefined;
  const padding = droppedPadding({ data: frame.data, from: from.end, output });
  // Copies: the views would keep whole socket reads alive.
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

function spanOf(bytes: Buffer, names: readonly string[], literal: Buffer): ByteRange | undefined {
  return names
    .map((name) => stringMember(bytes, name))
    .find((span) => span !== undefined && canonicalBody(bytes.subarray(span.start, span.end))?.equals(literal));
}

interface Padded {
  data: Buffer;
  from: number;
  output: Buffer;
}

/** A padding behind the text that clients do not get; one they get is a member like any other. */
function droppedPadding({ data, from, output }: Padded): ByteRange | undefined {
  const name = paddings.find((each) => (stringMember(data, each)?.start ?? 0) > from);
  return name === undefined || output.includes(`"${name}"`) ? undefined : stringMember(data, name);
}

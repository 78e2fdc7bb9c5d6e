import type { ChunkDelta, ToolCallDelta } from '@tallyport/wire';

/** One of the texts that grow in a streamed choice. */
export interface GrowingText {
  /** The same for every piece of it. */
  key: string;
  /** Arguments of a tool. */
  isJson?: boolean;
  /** No further piece of it follows. */
  isLast?: boolean;
  /** A delta with nothing but a piece of this text. */
  delta(text: string): ChunkDelta;
}

/** Returns what to send instead of a piece. */
export type ReplacePiece = (of: GrowingText, piece: string) => string;

/**
 * A delta with its texts replaced. Texts that become empty are left out. `whole` replaces members whose texts arrive at
 * once: titles of sources, for example.
 */
export function withTexts(
  delta: ChunkDelta,
  replace: ReplacePiece,
  whole: (member: unknown) => unknown = (member) => member,
): ChunkDelta {
  const { role, audio, function_call: called, tool_calls: calls, reasoning_details: details, ...others } = delta;
  const texts = Object.entries(others).map(
    ([name, value]) => [name, typeof value === 'string' ? ownText(name, value, replace) : whole(value)] as const,
  );
  const toolCalls = calls?.map((call) => withCallTexts(call, replace)).filter((call) => saysMore(call));
  return {
    ...(role && { role }),
    ...Object.fromEntries(texts.filter(([name, value]) => value !== '' || others[name] === '')),
    ...(audio && { audio: withTranscript(audio, replace) }),
    ...(called && { function_call: withArguments(called, replace) }),
    ...(toolCalls && toolCalls.length > 0 && { tool_calls: toolCalls }),
    ...(Array.isArray(details) && { reasoning_details: details.map((detail) => withDetailText(detail, replace)) }),
  };
}

/** Content, reasoning, refusals, and texts of vendors that are not known here. */
const ownText = (name: string, piece: string, replace: ReplacePiece): string =>
  replace({ key: name, delta: (text) => ({ [name]: text }) }, piece);

function withTranscript(audio: NonNullable<ChunkDelta['audio']>, replace: ReplacePiece): ChunkDelta['audio'] {
  if (audio.transcript === undefined) return audio;
  const of = { key: 'audio', delta: (transcript: string) => ({ audio: { transcript } }) };
  return { ...audio, transcript: replace(of, audio.transcript) };
}

function withArguments(called: NonNullable<ChunkDelta['function_call']>, replace: ReplacePiece) {
  if (called.arguments === undefined) return called;
  const delta = (text: string): ChunkDelta => ({ function_call: { arguments: text } });
  return { ...called, arguments: replace({ key: 'function_call', isJson: true, delta }, called.arguments) };
}

function withCallTexts(call: ToolCallDelta, replace: ReplacePiece): ToolCallDelta {
  const { index, function: called, custom } = call;
  const key = `tool_calls ${index}`;
  if (called?.arguments !== undefined) {
    const delta = (text: string): ChunkDelta => ({ tool_calls: [{ index, function: { arguments: text } }] });
    return { ...call, function: { ...called, arguments: replace({ key, isJson: true, delta }, called.arguments) } };
  }
  if (custom?.input === undefined) return call;
  const delta = (text: string): ChunkDelta => ({ tool_calls: [{ index, custom: { input: text } }] });
  return { ...call, custom: { ...custom, input: replace({ key, delta }, custom.input) } };
}

/** Whether a piece of a call is more than an empty text. */
const saysMore = ({ index: _index, type: _type, function: called, custom, ...others }: ToolCallDelta): boolean =>
  Object.keys(others).length > 0 || [called?.name, called?.arguments, custom?.name, custom?.input].some(Boolean);

/** The text of a detail, which repeats the reasoning, comes in pieces with the same type and index. */
function withDetailText(detail: unknown, replace: ReplacePiece): unknown {
  if (!isDetail(detail)) return detail;
  const { type, index, signature } = detail;
  // A signature ends the text that it is for. A detail without an index is whole.
  const isLast = typeof signature === 'string' || typeof index !== 'number';
  const names = ['text', 'summary'].filter((name) => typeof detail[name] === 'string');
  const texts = names.map((name) => {
    const delta = (text: string): ChunkDelta => ({ reasoning_details: [{ type, index, [name]: text }] });
    return [
      name,
      replace({ key: `${String(type)} ${String(index)} ${name}`, isLast, delta }, String(detail[name])),
    ] as const;
  });
  return { ...detail, ...Object.fromEntries(texts) };
}

const isDetail = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;

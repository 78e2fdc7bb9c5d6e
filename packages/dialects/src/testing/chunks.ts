import {
  type ChatChunk,
  type ChatCompletion,
  type ChunkDelta,
  type CompletionMessage,
  deltasInOrder,
  type FinishReason,
  type ToolCall,
} from '@tallyport/wire';

/** The completion as a vendor streams it: `deltasOf` cuts its message into deltas. */
export function chunksOf(
  { choices: [choice], usage, ...head }: ChatCompletion,
  deltasOf: (message: CompletionMessage) => readonly ChunkDelta[],
): ChatChunk[] {
  if (choice === undefined) return [];
  const chunk = (delta: ChunkDelta, finish_reason: FinishReason | null = null): ChatChunk => ({
    ...head,
    object: 'chat.completion.chunk',
    choices: [{ index: 0, delta, finish_reason }],
  });
  return [
    chunk({ role: 'assistant', content: '' }),
    ...deltasOf(choice.message).map((delta) => chunk(delta)),
    chunk({}, choice.finish_reason),
    { ...head, object: 'chat.completion.chunk', choices: [], ...(usage && { usage }) },
  ];
}

/** A text in small pieces. */
export const inPieces = (text: string | null | undefined): string[] => text?.match(/[^]{1,3}/g) ?? [];

/** The deltas of a message whose pieces have an order of their own, as its vendor streams them. */
export const deltasOfOrdered = (message: CompletionMessage): ChunkDelta[] =>
  deltasInOrder(message).flatMap(({ content, tool_calls: calls, ...delta }) => [
    ...(Object.keys(delta).length > 0 ? [delta] : []),
    ...inPieces(content).map((piece) => ({ content: piece })),
    ...(calls ?? []).flatMap(({ index }) => {
      const call = message.tool_calls?.[index];
      return call === undefined ? [] : callDeltas(call, index);
    }),
  ]);

/** A call of a function: its name first, then its arguments in pieces. */
export function callDeltas(call: ToolCall, index: number): ChunkDelta[] {
  if (call.type !== 'function') return [];
  const { function: called, ...rest } = call;
  return [
    { tool_calls: [{ ...rest, index, function: { name: called.name, arguments: '' } }] },
    ...inPieces(called.arguments).map((piece) => ({ tool_calls: [{ index, function: { arguments: piece } }] })),
  ];
}

/** Parallel calls as some vendors stream them: all names first, then a piece of each in turn. */
export function mixedCallDeltas(calls: readonly ToolCall[]): ChunkDelta[] {
  const openings = calls.map((call, index) => ({ tool_calls: [openingOf(call, index)] }));
  const pieces = calls.map((call) => inPieces(call.type === 'custom' ? call.custom.input : call.function.arguments));
  const rounds = Math.max(0, ...pieces.map(({ length }) => length));
  const rest = Array.from({ length: rounds }, (_round, round) =>
    calls.flatMap((call, index) => {
      const piece = pieces[index]?.[round];
      if (piece === undefined) return [];
      const body = call.type === 'custom' ? { custom: { input: piece } } : { function: { arguments: piece } };
      return [{ tool_calls: [{ index, ...body }] }];
    }),
  );
  return [...openings, ...rest.flat()];
}

function openingOf({ id, extra_content: extra, ...call }: ToolCall, index: number) {
  const body =
    call.type === 'custom'
      ? { type: call.type, custom: { name: call.custom.name, input: '' } }
      : { type: call.type, function: { name: call.function.name, arguments: '' } };
  return { index, id, ...body, ...(extra && { extra_content: extra }) };
}

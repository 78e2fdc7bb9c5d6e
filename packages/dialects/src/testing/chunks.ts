import {
  type ChatChunk,
  type ChatCompletion,
  type ChunkDelta,
  type CompletionMessage,
  deltasInOrder,
  type FinishReason,
  type ToolCall,
} from '@tallyport/wire';

/** The deltas of what a message says besides its calls. */
type SaidDeltas = (message: CompletionMessage) => readonly ChunkDelta[];

/** In the order in which a whole answer has it, in small pieces. */
export const saidInOrder: SaidDeltas = (message) => [
  ...inPieces(message.reasoning_content).map((piece) => ({ reasoning_content: piece })),
  ...(message.reasoning_details === undefined ? [] : [{ reasoning_details: message.reasoning_details }]),
  ...inPieces(message.content).map((piece) => ({ content: piece })),
  ...(message.annotations === undefined ? [] : [{ annotations: message.annotations }]),
  ...inPieces(message.refusal).map((piece) => ({ refusal: piece })),
  ...(message.images ?? []).map((image) => ({ images: [image] })),
];

/** The completion as a vendor streams it, in small pieces. */
export const chunksOf = (completion: ChatCompletion, saidDeltas: SaidDeltas): ChatChunk[] =>
  streamOf(completion, saidDeltas, (calls) => calls.flatMap(callDeltas));

/** The same with the pieces of parallel calls mixed. */
export const mixedChunksOf = (completion: ChatCompletion, saidDeltas: SaidDeltas): ChatChunk[] =>
  streamOf(completion, saidDeltas, mixedCallDeltas);

function streamOf(
  { choices: [choice], usage, ...head }: ChatCompletion,
  saidDeltas: SaidDeltas,
  deltasOfCalls: (calls: readonly ToolCall[]) => readonly ChunkDelta[],
): ChatChunk[] {
  if (choice === undefined) return [];
  const { message, finish_reason: reason } = choice;
  const chunk = (delta: ChunkDelta, finish_reason: FinishReason | null = null): ChatChunk => ({
    ...head,
    object: 'chat.completion.chunk',
    choices: [{ index: 0, delta, finish_reason }],
  });
  const deltas =
    message.content_order === undefined
      ? [...saidDeltas(message), ...deltasOfCalls(message.tool_calls ?? [])]
      : deltasOfOrdered(message);
  return [
    chunk({ role: 'assistant', content: '' }),
    ...deltas.map((delta) => chunk(delta)),
    chunk({}, reason),
    { ...head, object: 'chat.completion.chunk', choices: [], ...(usage && { usage }) },
  ];
}

/** A text in small pieces. */
export const inPieces = (text: string | null | undefined): string[] => text?.match(/[^]{1,3}/g) ?? [];

/** The deltas of a message whose pieces have an order of their own, as its vendor streams them. */
const deltasOfOrdered = (message: CompletionMessage): ChunkDelta[] =>
  deltasInOrder(message).flatMap(({ content, tool_calls: calls, ...delta }) => [
    ...(Object.keys(delta).length > 0 ? [delta] : []),
    ...inPieces(content).map((piece) => ({ content: piece })),
    ...(calls ?? []).flatMap(({ index }) => {
      const call = message.tool_calls?.[index];
      return call === undefined ? [] : callDeltas(call, index);
    }),
  ]);

/** A call of a function: its name first, then its arguments in pieces. */
function callDeltas(call: ToolCall, index: number): ChunkDelta[] {
  if (call.type !== 'function') return [];
  const { function: called, ...rest } = call;
  return [
    { tool_calls: [{ ...rest, index, function: { name: called.name, arguments: '' } }] },
    ...inPieces(called.arguments).map((piece) => ({ tool_calls: [{ index, function: { arguments: piece } }] })),
  ];
}

/** Parallel calls as some vendors stream them: all names first, then a piece of each in turn. */
function mixedCallDeltas(calls: readonly ToolCall[]): ChunkDelta[] {
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

import type {
  ChatChunk,
  ChatCompletion,
  ChunkDelta,
  CompletionMessage,
  FinishReason,
  ToolCall,
} from '@switchyard/wire';

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

/** A call of a function: its name first, then its arguments in pieces. */
export function callDeltas(call: ToolCall, index: number): ChunkDelta[] {
  if (call.type !== 'function') return [];
  const { function: called, ...rest } = call;
  return [
    { tool_calls: [{ ...rest, index, function: { name: called.name, arguments: '' } }] },
    ...inPieces(called.arguments).map((piece) => ({ tool_calls: [{ index, function: { arguments: piece } }] })),
  ];
}

import type { ChatChunk, ChatMessage, ChatRequest, ChunkChoice } from '@tallyport/wire';
import { functionDelta, functionReason, usesFunctions, withFunctionCall } from '../conversation/function-form.ts';
import type { ChatCall, ChatProvider, StreamTranslator, TranslationContext } from '../spec/provider.ts';

/** For vendors that lack the old form of tools: they get `functions` as tools, and the client its own form back. */
export const functionsAsTools = (provider: ChatProvider): ChatProvider => ({
  ...provider,
  unsupported: (call, offer) => provider.unsupported?.(inToolForm(call), offer),
  request: (call, offer) => provider.request(inToolForm(call), offer),
  response: (body, context) =>
    withFunctionCall(provider.response(body, calledWithTools(context)), context.call.request),
  stream(context) {
    const stream = provider.stream(calledWithTools(context));
    return usesFunctions(context.call.request) ? inFunctionForm(stream) : stream;
  },
});

const calledWithTools = (context: TranslationContext): TranslationContext => ({
  ...context,
  call: inToolForm(context.call),
});

const inToolForm = (call: ChatCall): ChatCall =>
  hasOldForm(call.request) ? { ...call, request: toToolForm(call.request) } : call;

const hasOldForm = ({ functions, function_call: choice, messages }: ChatRequest): boolean =>
  functions != null || choice != null || messages.some(isOldTurn);

const isOldTurn = (message: ChatMessage): boolean =>
  message.role === 'function' || (message.role === 'assistant' && message.function_call != null);

function toToolForm(request: ChatRequest): ChatRequest {
  const { functions, function_call: choice, ...rest } = request;
  const declared = [
    ...(rest.tools ?? []),
    ...(functions ?? []).map((sent) => ({ type: 'function' as const, function: sent })),
  ];
  const chosen = rest.tool_choice ?? toToolChoice(choice);
  return {
    ...rest,
    messages: toToolMessages(rest.messages),
    ...(declared.length > 0 && { tools: declared }),
    ...(chosen != null && { tool_choice: chosen }),
    // The old form has one call.
    ...(usesFunctions(request) && { parallel_tool_calls: false }),
  };
}

function toToolChoice(choice: ChatRequest['function_call']): ChatRequest['tool_choice'] {
  if (choice == null || choice === 'auto' || choice === 'none') return choice;
  return typeof choice === 'string' ? undefined : { type: 'function', function: { name: choice.name } };
}

/** The old form has no ids: a result belongs to the call before it. */
function toToolMessages(messages: readonly ChatMessage[]): ChatMessage[] {
  let last = '';
  return messages.map((message, at) => {
    if (message.role === 'function') return { role: 'tool', tool_call_id: last, content: message.content ?? '' };
    if (message.role !== 'assistant' || message.function_call == null) return message;
    last = `call_${at}`;
    const { function_call: called, ...rest } = message;
    return { ...rest, tool_calls: [...(rest.tool_calls ?? []), { id: last, type: 'function', function: called }] };
  });
}

const inFunctionForm = (stream: StreamTranslator): StreamTranslator => ({
  ...stream,
  frame: (frame) => stream.frame(frame).flatMap(functionChunk),
  end: () => stream.end().flatMap(functionChunk),
});

/** Nothing is left of a chunk that only has a second call. */
function functionChunk(chunk: ChatChunk): ChatChunk[] {
  const choices = chunk.choices.flatMap(functionChoice);
  return choices.length === 0 && chunk.choices.length > 0 ? [] : [{ ...chunk, choices }];
}

function functionChoice({ delta, finish_reason: reason, ...rest }: ChunkChoice): ChunkChoice[] {
  const said = functionDelta(delta);
  if (said === undefined && reason === null) return [];
  return [{ ...rest, delta: said ?? {}, finish_reason: functionReason(reason) }];
}

import { oncePer } from '@tallyport/contracts';
import type { ChatCompletion, ChatMessage, ChatRequest, ChunkDelta, CompletionMessage } from '@tallyport/wire';
import { isMembers } from '../read.ts';

type Rename = (name: string) => string;

/** Every name of a function in a request, which is asked for each offer. */
export const namesIn = oncePer((request: ChatRequest): ReadonlySet<string> => {
  const names = new Set<string>();
  renamedRequest(request, (name) => {
    names.add(name);
    return name;
  });
  return names;
});

/** Most requests have no functions, and need no copy to be found out. */
export const hasTools = ({ tools, functions, messages }: ChatRequest): boolean =>
  tools != null ||
  functions != null ||
  messages.some((message) => message.role === 'assistant' && (message.tool_calls ?? message.function_call) != null);

/** The request with other names of functions: where they are offered, chosen, called and answered. */
export const renamedRequest = (request: ChatRequest, rename: Rename): ChatRequest => ({
  ...request,
  messages: request.messages.map((message) => renamedMessage(message, rename)),
  ...(request.tools && { tools: request.tools.map((tool) => renamedCall(tool, rename)) }),
  ...(request.functions && { functions: request.functions.map((offered) => renamedFunction(offered, rename)) }),
  ...(isMembers(request.tool_choice) && { tool_choice: renamedChoice(request.tool_choice, rename) }),
  ...(isMembers(request.function_call) && { function_call: renamedFunction(request.function_call, rename) }),
});

function renamedMessage(message: ChatMessage, rename: Rename): ChatMessage {
  switch (message.role) {
    case 'assistant':
      return {
        ...message,
        ...(message.tool_calls && { tool_calls: message.tool_calls.map((call) => renamedCall(call, rename)) }),
        ...(message.function_call && { function_call: renamedFunction(message.function_call, rename) }),
      };
    case 'function':
      return renamedFunction(message, rename);
    case 'tool':
      return typeof message.name === 'string' ? { ...message, name: rename(message.name) } : message;
    case 'developer':
    case 'system':
    case 'user':
      return message;
    default:
      return message satisfies never;
  }
}

const renamedFunction = <Named extends { name: string }>(named: Named, rename: Rename): Named => ({
  ...named,
  name: rename(named.name),
});

/** A tool, a call of it or the choice of it: the name is in the member of its kind. */
function renamedCall<Call extends { function?: unknown; custom?: unknown }>(call: Call, rename: Rename): Call {
  const kind = isMembers(call.custom) ? 'custom' : 'function';
  const named = call[kind];
  if (!isMembers(named) || typeof named.name !== 'string') return call;
  return { ...call, [kind]: { ...named, name: rename(named.name) } };
}

type ToolChoice = Extract<NonNullable<ChatRequest['tool_choice']>, object>;

function renamedChoice(choice: ToolChoice, rename: Rename): ToolChoice {
  if (choice.type !== 'allowed_tools') return renamedCall(choice, rename);
  const { tools } = choice.allowed_tools;
  return {
    ...choice,
    allowed_tools: { ...choice.allowed_tools, tools: tools.map((tool) => renamedCall(tool, rename)) },
  };
}

export const renamedCompletion = (completion: ChatCompletion, rename: Rename): ChatCompletion => ({
  ...completion,
  choices: completion.choices.map((choice) => ({ ...choice, message: renamedCalls(choice.message, rename) })),
});

/** The calls of a whole message, or of a piece of one: a piece has the whole name of its call, or none. */
export function renamedCalls<Said extends ChunkDelta | CompletionMessage>(said: Said, rename: Rename): Said {
  const { tool_calls: calls, function_call: called } = said;
  if (calls === undefined && called == null) return said;
  return {
    ...said,
    ...(calls && { tool_calls: calls.map((call) => renamedCall(call, rename)) }),
    ...(called?.name !== undefined && { function_call: { ...called, name: rename(called.name) } }),
  };
}

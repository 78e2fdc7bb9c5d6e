import { GatewayError } from '@tallyport/contracts';
import { type ChatMessage, parseExactJson } from '@tallyport/wire';
import { isMembers, type Members } from '../read.ts';

/** A call an assistant made in an earlier turn. */
export interface EarlierCall {
  id: string;
  /** The id, with a suffix if an earlier turn already used it: some vendors refuse duplicate ids. */
  uniqueId: string;
  name: string;
  /** The parsed arguments; an empty object if there are none. Text that is none is in it as it is. */
  input: Members;
  path: string;
  /** The call as the client sent it, for vendor-specific members. */
  sent: Members;
}

export interface ToolMessage {
  message: Extract<ChatMessage, { role: 'tool' | 'function' }>;
  path: string;
}

export function callsOf(message: Extract<ChatMessage, { role: 'assistant' }>, path: string): EarlierCall[] {
  const calls = (message.tool_calls ?? []).map((call, index): EarlierCall => {
    const place = `${path}.tool_calls[${index}]`;
    if (call.type === 'custom') throw customTool(place);
    const { name, arguments: input } = call.function;
    return {
      id: call.id,
      uniqueId: call.id,
      name,
      input: parsedInput(input),
      path: place,
      sent: call,
    };
  });
  if (!message.function_call) return calls;
  const { name, arguments: input } = message.function_call;
  const place = `${path}.function_call`;
  // The old form has no ids: a result refers to the function's name.
  return [
    ...calls,
    { id: name, uniqueId: name, name, input: parsedInput(input), path: place, sent: message.function_call },
  ];
}

/** Whether the message has calls with ids; those of the old form have none. */
export const isCaller = (message: ChatMessage): message is Extract<ChatMessage, { role: 'assistant' }> =>
  message.role === 'assistant' && (message.tool_calls?.length ?? 0) > 0;

export const customTool = (path: string): GatewayError =>
  new GatewayError(
    'unsupported_parameter',
    `${path}: this model accepts only tools of type "function". Describe the input with a JSON schema instead.`,
    { param: path },
  );

/**
 * Text that is no JSON object, because a model was cut off or made a mistake, is kept in a member: the conversation goes
 * on, and the model sees what it wrote.
 */
function parsedInput(text: string): Members {
  const input = text.trim() === '' ? null : parsed(text);
  if (input === null) return {};
  return isMembers(input) ? input : { INVALID_JSON: text };
}

function parsed(text: string): unknown {
  try {
    return parseExactJson(text);
  } catch {
    return undefined;
  }
}

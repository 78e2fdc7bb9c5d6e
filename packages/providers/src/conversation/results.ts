import { GatewayError } from '@tallyport/contracts';
import type { EarlierCall, ToolMessage } from './calls.ts';
import { textPartsOf, type TextPart } from './text-parts.ts';

/** The result of a tool call. */
export interface Result {
  call: EarlierCall;
  parts: TextPart[];
}

/** One result for each call, in the order of the calls. */
export function orderedResults(calls: readonly EarlierCall[], answers: readonly ToolMessage[]): Result[] {
  const byId = new Map<string, ToolMessage>();
  for (const answer of answers) {
    const id = idOf(answer);
    if (byId.has(id)) throw refused(answer, 'this call already has a result');
    if (!calls.some((call) => call.id === id))
      throw refused(answer, 'the preceding assistant message has no such call');
    byId.set(id, answer);
  }
  return calls.map((call) => {
    const answer = byId.get(call.id);
    if (answer === undefined) throw unanswered(call);
    return { call, parts: textPartsOf(answer.message.content ?? '') };
  });
}

const idOf = ({ message }: ToolMessage): string => (message.role === 'tool' ? message.tool_call_id : message.name);

function refused({ message, path }: ToolMessage, why: string): GatewayError {
  const param = `${path}.${message.role === 'tool' ? 'tool_call_id' : 'name'}`;
  return new GatewayError('invalid_parameters', `${param}: ${why}.`, { param });
}

const unanswered = ({ path }: EarlierCall): GatewayError =>
  new GatewayError(
    'invalid_parameters',
    `${path}: this call has no result. Add a tool message for it after the assistant message.`,
    {
      param: path,
    },
  );

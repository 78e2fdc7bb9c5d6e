import type { ToolCall } from '@tallyport/wire';
import { generatedCallId } from '../generated-call-id.ts';
import { isMembers, items, type Members, members, text } from '../read.ts';

export interface CallPlace {
  completionId: string;
  choice: number;
}

/** The calls of a whole message, each with an id and JSON arguments. */
export function toolCallsIn(message: Members, { completionId, choice }: CallPlace): ToolCall[] | undefined {
  const listed = items(message.tool_calls).filter(isMembers);
  if (listed.length === 0) return undefined;
  const ids = new Set<string>();
  return listed.map((call, index) => {
    const id = freshId(ids, text(call.id)) ?? generatedCallId(completionId, index, choice);
    ids.add(id);
    return toolCall(call, id);
  });
}

/** The vendor's id, unless another call of the answer has it: clients match results by id. */
export const freshId = (taken: ReadonlySet<string>, id: string | undefined): string | undefined =>
  id === undefined || taken.has(id) ? undefined : id;

function toolCall(call: Members, id: string): ToolCall {
  if (isCustom(call)) {
    const custom = members(call.custom);
    return { id, type: 'custom', custom: { name: text(custom.name) ?? '', input: text(custom.input) ?? '' } };
  }
  const { name, arguments: input } = members(call.function);
  return { id, type: 'function', function: { name: text(name) ?? '', arguments: argumentsText(input) ?? '{}' } };
}

export const isCustom = (call: Members): boolean => call.type === 'custom' || isMembers(call.custom);

/** Some vendors send the arguments as an object. */
export const argumentsText = (value: unknown): string | undefined =>
  isMembers(value) ? JSON.stringify(value) : text(value);

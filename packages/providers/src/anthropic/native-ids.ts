import { type NativeRequest, replaceMembers } from '@tallyport/wire';
import { isMembers, items, type Members } from '../read.ts';
import { toolUseId } from './names.ts';

/**
 * The client's body with call ids that the vendor accepts. A conversation that another vendor's model began has its ids,
 * and would be refused for ever; every other byte stays as the client sent it.
 */
export function withAcceptedIds({ body, members }: NativeRequest): Buffer {
  const messages = items(members.messages);
  const accepted = messages.map(withBlocks);
  if (accepted.every((message, index) => message === messages[index])) return body;
  return replaceMembers(body, [{ path: ['messages'], value: JSON.stringify(accepted) }]);
}

/** The same message if all its ids are accepted. */
function withBlocks(message: unknown): unknown {
  if (!isMembers(message) || !Array.isArray(message.content)) return message;
  const blocks: readonly unknown[] = message.content;
  const accepted = blocks.map((block) => (isMembers(block) ? withId(block) : block));
  return accepted.every((block, index) => block === blocks[index]) ? message : { ...message, content: accepted };
}

/** Of the vendor's own tools, calls have other types, and ids that it made itself. */
const idNames: Readonly<Record<string, string>> = { tool_use: 'id', tool_result: 'tool_use_id' };

function withId(block: Members): Members {
  const name = typeof block.type === 'string' && Object.hasOwn(idNames, block.type) ? idNames[block.type] : undefined;
  const id = name === undefined ? undefined : block[name];
  if (name === undefined || typeof id !== 'string') return block;
  const accepted = toolUseId(id);
  return accepted === id ? block : { ...block, [name]: accepted };
}

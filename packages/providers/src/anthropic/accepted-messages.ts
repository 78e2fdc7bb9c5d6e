import { type NativeRequest, replaceMembers } from '@tallyport/wire';
import { isMembers, items, type Members } from '../read.ts';
import { toolUseId } from './names.ts';
import { isForeignThought } from './native-fit.ts';

/**
 * The client's body with call ids that the vendor accepts, and without thinking of other vendors' models. A conversation that
 * another model began has both, and would be refused for ever; every other byte stays as the client sent it.
 */
export function withAcceptedMessages({ body, members }: NativeRequest): Buffer {
  const messages = items(members.messages);
  const accepted = messages.map(acceptedMessage);
  if (accepted.every((message, index) => message === messages[index])) return body;
  const left = accepted.filter((message) => !isEmptied(message));
  return replaceMembers(body, [{ path: ['messages'], value: JSON.stringify(left) }]);
}

/** The same message if the vendor accepts it. */
function acceptedMessage(message: unknown): unknown {
  if (!isMembers(message) || !Array.isArray(message.content)) return message;
  const blocks: readonly unknown[] = message.content;
  const accepted = blocks
    .filter((block) => !isForeignThought(block))
    .map((block) => (isMembers(block) ? withId(block) : block));
  const isSame = accepted.length === blocks.length && accepted.every((block, index) => block === blocks[index]);
  return isSame ? message : { ...message, content: accepted };
}

/** The vendor refuses messages without content. */
const isEmptied = (message: unknown): boolean =>
  isMembers(message) && Array.isArray(message.content) && message.content.length === 0;

/** Of the vendor's own tools, calls have other types, and ids that it made itself. */
const idNames: Readonly<Record<string, string>> = { tool_use: 'id', tool_result: 'tool_use_id' };

function withId(block: Members): Members {
  const name = typeof block.type === 'string' && Object.hasOwn(idNames, block.type) ? idNames[block.type] : undefined;
  const id = name === undefined ? undefined : block[name];
  if (name === undefined || typeof id !== 'string') return block;
  const accepted = toolUseId(id);
  return accepted === id ? block : { ...block, [name]: accepted };
}

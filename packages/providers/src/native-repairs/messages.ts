import { isForeignThought } from '../anthropic/native-fit.ts';
import { isMembers, type Members } from '../read.ts';
import type { CallIds } from './call-ids.ts';

/**
 * A message as Claude accepts it; `undefined` if nothing is left of it. Its own calls have other types, and ids that it made
 * itself.
 */
export function repairedMessage(message: Members, ids: CallIds): Members | undefined {
  if (message.content === '') return undefined;
  if (!Array.isArray(message.content)) return message;
  const content = repairedBlocks(message.content, ids);
  if (content === message.content) return message;
  return content.length === 0 ? undefined : { ...message, content };
}

/** The same list if the vendor accepts it. */
function repairedBlocks(blocks: readonly unknown[], ids: CallIds): readonly unknown[] {
  const kept = blocks.filter((block) => !isForeignThought(block) && !isEmptyText(block));
  const accepted = kept.map((block) => (isMembers(block) ? repairedBlock(block, ids) : block));
  return accepted.length === blocks.length && accepted.every((block, at) => block === blocks[at]) ? blocks : accepted;
}

function repairedBlock(block: Members, ids: CallIds): Members {
  if (block.type === 'tool_use' && typeof block.id === 'string') return withMember(block, 'id', ids.called(block.id));
  if (block.type !== 'tool_result' || typeof block.tool_use_id !== 'string') return block;
  const result = withMember(block, 'tool_use_id', ids.answered(block.tool_use_id));
  return Array.isArray(result.content) ? withMember(result, 'content', repairedBlocks(result.content, ids)) : result;
}

const withMember = (block: Members, name: string, value: unknown): Members =>
  block[name] === value ? block : { ...block, [name]: value };

/** Answers of other vendors may begin or end with one. */
const isEmptyText = (block: unknown): boolean =>
  isMembers(block) && block.type === 'text' && typeof block.text === 'string' && block.text.trim() === '';

import type { MessagesBlock, MessagesText, MessagesThought, MessagesTurn } from '@switchyard/wire';
import type { AssistantTurn, Conversation, Turn } from '../conversation/conversation.ts';
import type { Result } from '../conversation/results.ts';
import { toBlock, toText } from './content.ts';
import { thoughtsIn } from './details.ts';
import { toolUseId } from './names.ts';

/** Conversations begin with a user here: said where one begins with an assistant's greeting. */
const opening: MessagesText = { type: 'text', text: '(The conversation begins.)' };

export interface Messages {
  system: MessagesText[];
  messages: MessagesTurn[];
}

/** Turns as the vendor wants them: users and assistants alternate, results come before what else a user says. */
export function toMessages({ instructions, turns }: Conversation, thinks: boolean): Messages {
  const system = instructions.map(toText);
  const messages: MessagesTurn[] = [];
  for (const turn of turns) {
    const content = blocksOf(turn, thinks);
    const role = turn.role === 'assistant' ? 'assistant' : 'user';
    const last = messages.at(-1);
    if (content.length === 0) continue;
    if (last?.role === role) last.content.push(...content);
    else messages.push({ role, content });
  }
  // Nothing but instructions: they are what there is to answer.
  if (messages.length === 0) return { system: [], messages: [{ role: 'user', content: system }] };
  if (messages[0]?.role === 'assistant') messages.unshift({ role: 'user', content: [opening] });
  trimEnd(messages.at(-1));
  return { system, messages };
}

/** Whether the turn that is going on made calls after thinking that did not come back with them. */
export function lacksThoughts({ turns }: Conversation): boolean {
  const begin = turns.findLastIndex((turn) => turn.role === 'user');
  return turns
    .slice(begin + 1)
    .some((turn) => turn.role === 'assistant' && turn.calls.length > 0 && thoughtsIn(turn.message).length === 0);
}

function blocksOf(turn: Turn, thinks: boolean): MessagesBlock[] {
  switch (turn.role) {
    case 'user':
      return turn.parts.map(toBlock);
    case 'assistant':
      return assistantBlocks(turn, thinks ? thoughtsIn(turn.message) : []);
    case 'results':
      return turn.results.map(toolResult);
    default:
      return turn satisfies never;
  }
}

/** Thinking first, as it was; then what was said; then the calls. */
function assistantBlocks({ message, calls }: AssistantTurn, thoughts: MessagesThought[]): MessagesBlock[] {
  const { content } = message;
  const said = typeof content === 'string' ? [content] : (content ?? []).map(saidIn);
  const spoken = [...said, message.refusal ?? ''].filter((text) => text !== '');
  return [
    ...thoughts,
    ...spoken.map((text) => ({ type: 'text' as const, text })),
    ...calls.map(({ id, name, input }) => ({ type: 'tool_use' as const, id: toolUseId(id), name, input })),
  ];
}

type SaidPart = Exclude<AssistantTurn['message']['content'], string | null | undefined>[number];

const saidIn = (part: SaidPart): string => (part.type === 'text' ? part.text : part.refusal);

const toolResult = ({ call, parts }: Result): MessagesBlock => ({
  type: 'tool_result',
  tool_use_id: toolUseId(call.id),
  ...(parts.length > 0 && { content: parts.map(toText) }),
});

/** An answer to be gone on with may not end in blanks. */
function trimEnd(last: MessagesTurn | undefined): void {
  const block = last?.content.at(-1);
  if (last?.role !== 'assistant' || block?.type !== 'text') return;
  last.content[last.content.length - 1] = { ...block, text: block.text.trimEnd() || '.' };
}

import type { MessagesBlock, MessagesText, MessagesThought, MessagesTurn } from '@tallyport/wire';
import { type AssistantTurn, type Conversation, firstCaller, type Turn } from '../conversation/conversation.ts';
import type { EarlierCall } from '../conversation/calls.ts';
import type { Result } from '../conversation/results.ts';
import { saidInOrder } from '../conversation/said-in-order.ts';
import { cacheControlOf, toBlock, toText } from './content.ts';
import { thoughtsIn } from './details.ts';
import { toolUseId } from './names.ts';

/** Sent before a conversation that begins with an assistant message: the vendor requires a user message first. */
const opening: MessagesText = { type: 'text', text: '(The conversation begins.)' };
/** Sent as the last user message if the user's own is empty or the model cannot continue its own text (prefill). */
const closing: MessagesText = { type: 'text', text: 'Continue.' };

interface Messages {
  system: MessagesText[];
  messages: MessagesTurn[];
}

interface MessagesOptions {
  /** Whether the model thinks in this request. Only then does it accept its earlier thinking. */
  thinks: boolean;
  /** Whether the model may continue its own text at the end of the conversation. */
  prefill: boolean;
}

/**
 * Converts turns to messages: user and assistant alternate, and tool results precede the other parts of a user message.
 */
export function toMessages({ instructions, turns }: Conversation, { thinks, prefill }: MessagesOptions): Messages {
  const system = instructions.map(toText).filter(hasContent);
  const messages = alternating(turns, thinks);
  // If there are only instructions, they become the user message.
  if (messages.length === 0) {
    return { system: [], messages: [{ role: 'user', content: system.length > 0 ? system : [closing] }] };
  }
  if (messages[0]?.role === 'assistant') messages.unshift({ role: 'user', content: [opening] });
  const isBegun = messages.at(-1)?.role === 'assistant';
  if (isBegun && (!prefill || turns.at(-1)?.role === 'user')) messages.push({ role: 'user', content: [closing] });
  trimEnd(messages.at(-1));
  return { system, messages };
}

function alternating(turns: readonly Turn[], thinks: boolean): MessagesTurn[] {
  const messages: MessagesTurn[] = [];
  for (const turn of turns) {
    const content = blocksOf(turn, thinks).filter(hasContent);
    const role = turn.role === 'assistant' ? 'assistant' : 'user';
    const last = messages.at(-1);
    if (content.length === 0) continue;
    if (last?.role === role) last.content.push(...content);
    else messages.push({ role, content });
  }
  return messages;
}

/** False for blank text, which the vendor refuses. */
const hasContent = (block: MessagesBlock): boolean => block.type !== 'text' || block.text.trim() !== '';

/**
 * Whether the thinking is lost that led to the first call behind the last question. The vendor takes what follows as one
 * turn, in which a model may call again without a thought.
 */
export function lacksThoughts({ turns }: Conversation): boolean {
  const caller = firstCaller(turns);
  return caller !== undefined && thoughtsIn(caller.message).length === 0;
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

/** Thinking first, unchanged, then texts and calls in their order. */
function assistantBlocks(turn: AssistantTurn, thoughts: MessagesThought[]): MessagesBlock[] {
  const { content, refusal } = turn.message;
  const said = typeof content === 'string' ? [textBlock(content)] : (content ?? []).map(textBlockOf);
  const blocks = saidInOrder(turn, said).map((piece) => (piece.kind === 'text' ? piece.text : toolUse(piece.call)));
  const lastText = blocks.findLastIndex(({ type }) => type === 'text');
  return [...thoughts, ...blocks.toSpliced(lastText + 1, 0, textBlock(refusal ?? ''))].filter(isSaid);
}

const isSaid = (block: MessagesBlock): boolean => block.type !== 'text' || block.text !== '';

const toolUse = ({ uniqueId, name, input }: EarlierCall): MessagesBlock => ({
  type: 'tool_use',
  id: toolUseId(uniqueId),
  name,
  input,
});

type AssistantPart = Exclude<AssistantTurn['message']['content'], string | null | undefined>[number];

const textBlock = (text: string): MessagesText => ({ type: 'text', text });

const textBlockOf = (part: AssistantPart): MessagesText =>
  part.type === 'text' ? toText(part) : textBlock(part.refusal);

function toolResult({ call, parts }: Result): MessagesBlock {
  const content = parts.map(({ text }) => textBlock(text)).filter(hasContent);
  // The vendor refuses `cache_control` inside a result, so it is set on the result itself.
  const mark = parts.findLast((part) => cacheControlOf(part).cache_control !== undefined);
  return {
    type: 'tool_result',
    tool_use_id: toolUseId(call.uniqueId),
    ...(content.length > 0 && { content }),
    ...(mark && cacheControlOf(mark)),
  };
}

/** The vendor refuses a prefilled answer that ends in whitespace. */
function trimEnd(last: MessagesTurn | undefined): void {
  const block = last?.content.at(-1);
  if (last?.role !== 'assistant' || block?.type !== 'text') return;
  last.content[last.content.length - 1] = { ...block, text: block.text.trimEnd() };
}

import type { ChatMessage, ChatRequest, UserPart } from '@tallyport/wire';
import { compactionInstruction } from './instruction.ts';

/** The longest summary in tokens, the thinking before it included. */
const mostSummaryTokens = 16_384;

/** What shapes the answers of the conversation, and would spoil a summary. */
const ofAnswers = ['logprobs', 'response_format', 'top_logprobs', 'verbosity'] as const;

/** A conversation that ends with the instruction to summarize it. Its tools stay: vendors have them cached with its messages. */
export function compactionChat(chat: ChatRequest): ChatRequest {
  const messages = [...chat.messages, { role: 'user' as const, content: compactionInstruction }];
  const limit = chat.max_completion_tokens ?? mostSummaryTokens;
  const summarizing: ChatRequest = { ...chat, messages, max_completion_tokens: limit };
  for (const name of ofAnswers) delete summarizing[name];
  return chat.tools === undefined ? summarizing : { ...summarizing, tool_choice: 'none' };
}

/** Messages without tools, which many vendors refuse where no tools are declared: calls and their results become texts. */
export const withoutTools = (messages: readonly ChatMessage[]): ChatMessage[] => messages.flatMap(asText);

function asText(message: ChatMessage): ChatMessage[] {
  switch (message.role) {
    case 'assistant':
      return assistantText(message);
    case 'tool':
      return [
        { role: 'user', content: [textPart(`Result of the call ${message.tool_call_id}:`), ...partsOf(message)] },
      ];
    case 'function':
      return [{ role: 'user', content: `Result of the call ${message.name}:\n${message.content ?? ''}` }];
    default:
      return [message];
  }
}

type MessageOf<Role extends ChatMessage['role']> = Extract<ChatMessage, { role: Role }>;

/** Thinking is left out: it is signed for the turn as it was. */
function assistantText({ content, refusal, tool_calls: calls }: MessageOf<'assistant'>): ChatMessage[] {
  const said = typeof content === 'string' ? [content] : (content ?? []).map(saidIn);
  const called = (calls ?? []).map((call) =>
    call.type === 'function'
      ? calledText(call.id, call.function.name, call.function.arguments)
      : calledText(call.id, call.custom.name, call.custom.input),
  );
  const texts = [...said, refusal ?? '', ...called].filter((text) => text !== '');
  return texts.length === 0 ? [] : [{ role: 'assistant', content: texts.join('\n') }];
}

const saidIn = (part: { text: string } | { refusal: string }): string => ('text' in part ? part.text : part.refusal);

const calledText = (id: string, name: string, input: string): string => `[Call ${id} of the tool ${name}: ${input}]`;

const textPart = (text: string): UserPart => ({ type: 'text', text });

const partsOf = ({ content }: MessageOf<'tool'>): UserPart[] =>
  typeof content === 'string' ? [textPart(content)] : content.map(({ text }) => textPart(text));

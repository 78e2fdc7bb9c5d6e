import type { ContentPiece } from '@tallyport/serving';
import type { AssistantPart, ChatMessage, ChatRequest, UserPart } from '@tallyport/wire';
import { base64Piece, urlPiece } from './media-piece.ts';

/** The messages of a chat. Definitions of tools are not kept. */
export function* chatPrompt({ messages }: ChatRequest): Generator<ContentPiece> {
  for (const message of messages) {
    const { role } = message;
    for (const piece of messagePieces(message)) yield { role, ...piece };
  }
}

type AssistantMessage = Extract<ChatMessage, { role: 'assistant' }>;

function messagePieces(message: ChatMessage): ContentPiece[] {
  const { content } = message;
  const texts = typeof content === 'string' ? [textPiece(content)] : (content ?? []).map(partPiece);
  return message.role === 'assistant' ? [...thoughts(message), ...texts, ...actions(message)] : texts;
}

const textPiece = (text: string): ContentPiece => ({ kind: 'text', text });

const thoughts = ({ reasoning_content: text }: AssistantMessage): ContentPiece[] =>
  text ? [{ kind: 'reasoning', text }] : [];

const actions = ({ refusal, tool_calls: calls, function_call: called, images }: AssistantMessage): ContentPiece[] => [
  ...(refusal ? [textPiece(refusal)] : []),
  ...(calls ?? []).map((call) =>
    call.type === 'function'
      ? callPiece(call.function.name, call.function.arguments)
      : callPiece(call.custom.name, call.custom.input),
  ),
  ...(called ? [callPiece(called.name, called.arguments)] : []),
  ...(images ?? []).map(({ image_url: image }) => urlPiece(image.url)),
];

const callPiece = (name: string, text: string): ContentPiece => ({ kind: 'tool_call', name, text });

function partPiece(part: AssistantPart | UserPart): ContentPiece {
  switch (part.type) {
    case 'text':
      return textPiece(part.text);
    case 'refusal':
      return textPiece(part.refusal);
    case 'image_url':
      return urlPiece(part.image_url.url);
    case 'input_audio':
      return base64Piece(`audio/${part.input_audio.format}`, part.input_audio.data);
    case 'file':
      return urlPiece(part.file.file_data ?? '');
  }
}

import type { ChatMessage } from '@tallyport/wire';

export type TextPart = Extract<Exclude<Extract<ChatMessage, { role: 'tool' }>['content'], string>[number], object>;

/** The text of a message, without its other parts. */
export function messageText({ content }: Pick<ChatMessage, 'content'>): string {
  if (typeof content === 'string') return content;
  return (content ?? []).map((part) => (part.type === 'text' ? part.text : '')).join('');
}

/** Content as text parts, without empty ones, which most vendors refuse. */
export const textPartsOf = (content: string | readonly TextPart[]): TextPart[] =>
  (typeof content === 'string' ? [{ type: 'text' as const, text: content }] : content).filter(
    ({ text }) => text !== '',
  );

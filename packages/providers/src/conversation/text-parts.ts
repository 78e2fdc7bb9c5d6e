import type { ChatMessage } from '@tallyport/wire';

export type TextPart = Extract<Exclude<Extract<ChatMessage, { role: 'tool' }>['content'], string>[number], object>;

/** Content as text parts, without empty ones, which most vendors refuse. */
export const textPartsOf = (content: string | readonly TextPart[]): TextPart[] =>
  (typeof content === 'string' ? [{ type: 'text' as const, text: content }] : content).filter(
    ({ text }) => text !== '',
  );

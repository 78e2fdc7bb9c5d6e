import type { ChatMessage } from '@switchyard/wire';

export type TextPart = Extract<Exclude<Extract<ChatMessage, { role: 'tool' }>['content'], string>[number], object>;

/** Content as parts; empty ones say nothing, and most vendors refuse them. */
export const textPartsOf = (content: string | readonly TextPart[]): TextPart[] =>
  (typeof content === 'string' ? [{ type: 'text' as const, text: content }] : content).filter(
    ({ text }) => text !== '',
  );

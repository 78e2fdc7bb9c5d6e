import type { ChatMessage } from '@tallyport/wire';
import type { TextBlock } from './block-schemas.ts';
import { plainContent, toTextPart } from './content-parts.ts';

/** Agents of the vendor begin with a line about their own version that differs in every request: it would spoil prompt caches. */
const billingLine = /^x-anthropic-billing-header:/;

/** Instructions as one message; none where nothing is left to say. */
export function toSystemMessages(content: string | readonly TextBlock[] | null | undefined): ChatMessage[] {
  const blocks = typeof content === 'string' ? [{ text: content }] : (content ?? []);
  const parts = blocks.filter(({ text }) => text !== '' && !billingLine.test(text)).map(toTextPart);
  return parts.length === 0 ? [] : [{ role: 'system', content: plainContent(parts) }];
}

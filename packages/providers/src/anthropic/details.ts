import type { MessagesThought } from '@tallyport/wire';
import type { Members } from '../read.ts';
import { thinkingDetails } from '../thinking-details.ts';

export const claudeDetails = thinkingDetails('anthropic-claude-v1');

/** The thinking of an earlier answer in the form the vendor accepts back. */
export const thoughtsIn = (message: Members): MessagesThought[] =>
  claudeDetails
    .signedIn(message)
    .map((thought) =>
      thought.kind === 'encrypted'
        ? { type: 'redacted_thinking', data: thought.data }
        : { type: 'thinking', thinking: thought.text, signature: thought.signature },
    );

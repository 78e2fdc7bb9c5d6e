import { GatewayError } from '@tallyport/contracts';
import type { ChunkChoice, CompletionChoice, FinishReason, Logprobs } from '@tallyport/wire';
import { createMessageFold } from './message.ts';

export interface ChoiceFold {
  add(choice: ChunkChoice): void;
  whole(): CompletionChoice;
}

export function createChoiceFold(index: number): ChoiceFold {
  const message = createMessageFold();
  const logprobs: Logprobs = { content: null, refusal: null };
  let finishReason: FinishReason | undefined;
  const rest: Record<string, unknown> = {};

  return {
    add(choice) {
      const { index: _index, delta, logprobs: added, finish_reason: reason, ...others } = choice;
      message.add(delta);
      if (added?.content) logprobs.content = extend(logprobs.content, added.content);
      if (added?.refusal) logprobs.refusal = extend(logprobs.refusal, added.refusal);
      finishReason = reason ?? finishReason;
      Object.assign(rest, others);
    },
    whole() {
      if (finishReason === undefined) {
        throw new GatewayError('stream_truncated', 'The stream ended before the answer was complete.', {
          domain: 'provider',
        });
      }
      const added = logprobs.content === null && logprobs.refusal === null ? null : logprobs;
      return { index, message: message.whole(), logprobs: added, finish_reason: finishReason, ...rest };
    },
  };
}

/** Appends in place: copying would be quadratic for an answer of many thousand tokens. */
function extend<Entry>(kept: Entry[] | null, added: readonly Entry[]): Entry[] {
  const entries = kept ?? [];
  for (const entry of added) entries.push(entry);
  return entries;
}

import { GatewayError } from '@switchyard/contracts';
import type { ChunkChoice, CompletionChoice, FinishReason, Logprobs } from '@switchyard/wire';
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
      const { index: _index, delta, logprobs: told, finish_reason: reason, ...others } = choice;
      message.add(delta);
      if (told?.content) logprobs.content = extend(logprobs.content, told.content);
      if (told?.refusal) logprobs.refusal = extend(logprobs.refusal, told.refusal);
      finishReason = reason ?? finishReason;
      Object.assign(rest, others);
    },
    whole() {
      if (finishReason === undefined) {
        throw new GatewayError('stream_truncated', 'The stream ended before the answer was complete.', {
          domain: 'provider',
        });
      }
      const told = logprobs.content === null && logprobs.refusal === null ? null : logprobs;
      return { index, message: message.whole(), logprobs: told, finish_reason: finishReason, ...rest };
    },
  };
}

/** In place: an answer of many thousand tokens must not be copied with each of them. */
function extend<Entry>(kept: Entry[] | null, told: readonly Entry[]): Entry[] {
  const entries = kept ?? [];
  for (const entry of told) entries.push(entry);
  return entries;
}

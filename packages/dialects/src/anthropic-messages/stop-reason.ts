import type { ChunkChoice, CompletionChoice, FinishReason } from '@tallyport/wire';
import type { AnswerEnd, StopDetails, StopReason } from './answer-types.ts';

interface AnswerOutcome {
  finishReason: FinishReason | null;
  /** Agents run calls only after `tool_use`, whatever the vendor gave as its reason. */
  called: boolean;
  /** Why the model would not answer, where it says so. */
  refusal: string;
  /** The stop sequence that ended the answer, where the vendor reports it. */
  stopText: string | undefined;
}

export const stopTextOf = ({ stop_reason: stop }: ChunkChoice | CompletionChoice): string | undefined =>
  typeof stop === 'string' && stop !== '' ? stop : undefined;

/** How an answer ended. A stop sequence that no vendor reports is an end of the turn. */
export function toAnswerEnd(outcome: AnswerOutcome): AnswerEnd {
  const stopReason = stopReasonOf(outcome);
  return {
    stop_reason: stopReason,
    stop_sequence: stopReason === 'stop_sequence' ? (outcome.stopText ?? null) : null,
    stop_details: stopReason === 'refusal' ? detailsOf(outcome.refusal) : null,
    container: null,
  };
}

function stopReasonOf({ finishReason, called, refusal, stopText }: AnswerOutcome): StopReason {
  if (finishReason === 'content_filter' || refusal !== '') return 'refusal';
  if (finishReason === 'length') return 'max_tokens';
  if (called) return 'tool_use';
  return stopText === undefined ? 'end_turn' : 'stop_sequence';
}

const detailsOf = (refusal: string): StopDetails => ({
  type: 'refusal',
  category: null,
  explanation: refusal === '' ? null : refusal,
});

import type { FinishReason } from '@tallyport/wire';
import type { AnswerEnd, StopDetails, StopReason } from './answer-types.ts';

export interface AnswerOutcome {
  finishReason: FinishReason | null;
  /** Agents run calls only after `tool_use`, whatever the vendor gave as its reason. */
  called: boolean;
  /** Why the model would not answer, where it says so. */
  refusal: string;
}

/** How an answer ended. Which stop sequence ended it is not known here: that is an end of the turn. */
export function toAnswerEnd(outcome: AnswerOutcome): AnswerEnd {
  const stopReason = stopReasonOf(outcome);
  return {
    stop_reason: stopReason,
    stop_sequence: null,
    stop_details: stopReason === 'refusal' ? detailsOf(outcome.refusal) : null,
    container: null,
  };
}

function stopReasonOf({ finishReason, called, refusal }: AnswerOutcome): StopReason {
  if (finishReason === 'content_filter' || refusal !== '') return 'refusal';
  if (finishReason === 'length') return 'max_tokens';
  return called ? 'tool_use' : 'end_turn';
}

const detailsOf = (refusal: string): StopDetails => ({
  type: 'refusal',
  category: null,
  explanation: refusal === '' ? null : refusal,
});

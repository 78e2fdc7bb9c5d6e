import type { Kit } from '@tallyport/service-kit';
import type { TurnResult } from './conversation-turn.ts';
import type { KeepResult } from './stored-responses.ts';

const results = ['stored', 'too_large', 'account_full', 'unavailable'] as const satisfies KeepResult[];
const turnResults = ['added', 'gone', 'failed'] as const satisfies TurnResult[];

export interface StoringEvents {
  /** A response or an interaction that was to be stored has ended. */
  ended(result: KeepResult): void;
  /** A turn of a conversation has ended. */
  added(result: TurnResult): void;
}

export function storingEvents({ metrics }: Pick<Kit, 'metrics'>): StoringEvents {
  const responses = metrics.counter({
    name: 'gateway_responses_stored_total',
    help: 'Responses of /v1/responses and interactions of /v1beta/interactions that were to be stored: stored, too large, beyond the quota of their account, or not stored because the store is unavailable.',
    labels: { result: results },
  });
  const turns = metrics.counter({
    name: 'gateway_conversation_turns_total',
    help: 'Turns of conversations that were to be added to them: added, or not because the conversation was gone, or its store unavailable or full.',
    labels: { result: turnResults },
  });
  return {
    ended: (result) => responses.with({ result }).increment(),
    added: (result) => turns.with({ result }).increment(),
  };
}

import type { Batch } from '@tallyport/management';
import type { Tone } from '@tallyport/pages';

type State = Batch['state'];

const states = {
  validating: { text: 'checking the input', tone: 'plain' },
  in_progress: { text: 'running', tone: 'plain' },
  finalizing: { text: 'writing results', tone: 'plain' },
  cancelling: { text: 'being cancelled', tone: 'warn' },
  completed: { text: 'completed', tone: 'good' },
  failed: { text: 'refused', tone: 'bad' },
  expired: { text: 'expired', tone: 'warn' },
  cancelled: { text: 'cancelled', tone: 'warn' },
} as const satisfies Record<State, { text: string; tone: Tone }>;

export const batchState = ({ state }: Pick<Batch, 'state'>): { text: string; tone: Tone } => states[state];

/** Whether it may still be cancelled. */
export const isCancellable = ({ state }: Pick<Batch, 'state'>): boolean =>
  state === 'validating' || state === 'in_progress';

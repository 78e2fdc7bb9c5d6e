import type { EmitInteractionEvent, OutputStep, StepDelta } from './answer-types.ts';

/** The steps of one answer while they are written. */
export interface StepList {
  /** `step` holds no content yet. Returns its place. */
  open(step: OutputStep): number;
  delta(index: number, delta: StepDelta): void;
  /** `undefined` leaves out a step that is not whole. */
  close(index: number, step: OutputStep | undefined): void;
  /** In order. */
  finished(): OutputStep[];
}

export function createStepList(emit: EmitInteractionEvent): StepList {
  const steps: (OutputStep | undefined)[] = [];
  return {
    open(step) {
      const index = steps.push(undefined) - 1;
      emit('step.start', { index, step });
      return index;
    },
    delta: (index, delta) => emit('step.delta', { index, delta }),
    close(index, step) {
      steps[index] = step;
      emit('step.stop', { index });
    },
    finished: () => steps.filter((step) => step !== undefined),
  };
}

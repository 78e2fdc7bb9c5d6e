import type { NewSecret, PlanStep, StepContext } from './plan-step.ts';

/** A step failed: the steps before it are done, those after it are not. */
export class ApplyError extends Error {
  readonly failed: PlanStep;
  readonly left: readonly PlanStep[];
  constructor(cause: unknown, { failed, left }: { failed: PlanStep; left: readonly PlanStep[] }) {
    super(cause instanceof Error ? cause.message : String(cause), { cause });
    this.name = 'ApplyError';
    this.failed = failed;
    this.left = left;
  }
}

interface ApplyHooks {
  onDone(step: PlanStep): void;
  /** Called before the next step, so that no secret is lost if a later step fails. */
  onSecret(secret: NewSecret): Promise<void>;
}

/** Runs the steps in order and stops at the first failure with ApplyError. Applying again continues there. */
export async function applySteps(steps: readonly PlanStep[], context: StepContext, hooks: ApplyHooks): Promise<void> {
  for (const [at, step] of steps.entries()) {
    try {
      const secret = await step.run(context);
      if (secret) await hooks.onSecret(secret);
    } catch (cause) {
      throw new ApplyError(cause, { failed: step, left: steps.slice(at + 1) });
    }
    hooks.onDone(step);
  }
}

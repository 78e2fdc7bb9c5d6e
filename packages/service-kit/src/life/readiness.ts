import { createRedact } from '../log/redact.ts';
import { within } from './within.ts';
import type { CheckResult, Part } from './part.ts';

export type Phase = 'starting' | 'running' | 'stopping';

/** What `/readyz` says. */
export interface Readiness {
  readonly ready: boolean;
  readonly phase: Phase;
  readonly parts: Readonly<Record<string, CheckResult>>;
}

const checkTimeoutMs = 2000;

/** Asks every part, each for at most two seconds. Askers at the same time share one round. */
export function createReadiness(
  phase: () => Phase,
  parts: () => readonly Part[],
  timeoutMs: number = checkTimeoutMs,
): () => Promise<Readiness> {
  let round: Promise<Readiness> | undefined;
  const ask = async (): Promise<Readiness> => {
    const results = await Promise.all(
      parts().map(async (part) => [part.name, await checked(part, timeoutMs)] as const),
    );
    const ready = phase() === 'running' && results.every(([, result]) => result.ok);
    return { ready, phase: phase(), parts: Object.fromEntries(results) };
  };
  return () => {
    round ??= ask().finally(() => (round = undefined));
    return round;
  };
}

async function checked(part: Part, timeoutMs: number): Promise<CheckResult> {
  if (part.check === undefined) return { ok: true };
  try {
    return (await within(part.check(), timeoutMs)) ?? { ok: false, message: 'The check took too long.' };
  } catch (error) {
    return { ok: false, message: createRedact()(error instanceof Error ? error.message : 'The check failed.') };
  }
}

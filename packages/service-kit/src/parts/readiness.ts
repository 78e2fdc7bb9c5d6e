import { createRedact } from '../log/redact.ts';
import { within } from '../within.ts';
import type { CheckResult, Part } from './part.ts';

export type Phase = 'starting' | 'running' | 'stopping';

/** The body of `/readyz`. */
export interface Readiness {
  readonly ready: boolean;
  readonly phase: Phase;
  readonly parts: Readonly<Record<string, CheckResult>>;
}

const checkTimeoutMs = 2000;

/** Checks all parts, each for at most two seconds. Concurrent calls share one round. */
export function createReadiness(
  phase: () => Phase,
  parts: () => readonly Part[],
  timeoutMs: number = checkTimeoutMs,
): () => Promise<Readiness> {
  let round: Promise<Readiness> | undefined;
  const checkAll = async (): Promise<Readiness> => {
    const results = await Promise.all(
      parts().map(async (part) => [part.name, await checkOne(part, timeoutMs)] as const),
    );
    const ready = phase() === 'running' && results.every(([, result]) => result.ok);
    return { ready, phase: phase(), parts: Object.fromEntries(results) };
  };
  return () => {
    round ??= checkAll().finally(() => (round = undefined));
    return round;
  };
}

async function checkOne(part: Part, timeoutMs: number): Promise<CheckResult> {
  if (part.check === undefined) return { ok: true };
  try {
    return (await within(part.check(), timeoutMs)) ?? { ok: false, message: 'The check took too long.' };
  } catch (error) {
    return { ok: false, message: createRedact()(error instanceof Error ? error.message : 'The check failed.') };
  }
}

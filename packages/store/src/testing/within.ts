import { randomUUID } from 'node:crypto';

/**
 * Takes steps that must be over before `ms` have passed, and again with another key if they were not: a busy machine may
 * pause between them.
 */
export async function within<Result>(
  ms: number,
  steps: (key: string) => Promise<Result>,
): Promise<{ key: string; result: Result; startedAt: number }> {
  for (;;) {
    const key = randomUUID();
    const startedAt = performance.now();
    const result = await steps(key);
    if (performance.now() - startedAt < ms) return { key, result, startedAt };
  }
}

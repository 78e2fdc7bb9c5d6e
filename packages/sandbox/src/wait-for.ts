import type { Recorder } from './recorder.ts';

/**
 * Resolves with the first truthy result of `look`, which is called now and after every change of the recorder. Rejects
 * at the deadline with a list of received requests.
 */
export function waitFor<Value>(recorder: Recorder, look: () => Value, deadlineMs: number): Promise<Truthy<Value>> {
  return new Promise((resolve, reject) => {
    const finish = (settle: () => void) => {
      clearTimeout(timer);
      stopListening();
      settle();
    };
    const check = () => {
      try {
        const value = look();
        if (isTruthy(value)) finish(() => resolve(value));
      } catch (error) {
        finish(() => reject(error));
      }
    };
    const timer = setTimeout(() => finish(() => reject(new Error(summary(recorder, deadlineMs)))), deadlineMs);
    const stopListening = recorder.onChange(check);
    check();
  });
}

export type Truthy<Value> = Exclude<Value, false | null | undefined | 0 | ''>;

const isTruthy = <Value>(value: Value): value is Truthy<Value> => Boolean(value);

function summary(recorder: Recorder, deadlineMs: number): string {
  const seen = recorder.requests.slice(-5).map(({ method, path, outcome }) => `${method} ${path}: ${outcome}`);
  return `Not seen within ${deadlineMs} ms. The simulator received ${recorder.counts.total} requests, last: ${seen.join(' · ') || 'none'}.`;
}

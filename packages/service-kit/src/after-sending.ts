/**
 * Runs work that no caller waits for, for example counting and logging a finished answer, after everything of this turn
 * has been sent. The bus sends in the first round of immediates, so the work runs in the second.
 */
export function afterSending(work: () => void): void {
  setImmediate(() => setImmediate(work));
}

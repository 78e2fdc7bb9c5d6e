/**
 * For work that nobody waits for, such as counting and logging what has just been answered: runs once what this turn has
 * to send has left. The first round of immediates is when the bus departs, so this is the second.
 */
export function afterSending(work: () => void): void {
  setImmediate(() => setImmediate(work));
}

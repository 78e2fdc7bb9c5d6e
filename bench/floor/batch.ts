/**
 * Collects jobs and runs them together at the end of the turn of the event loop, so that the NATS client joins their
 * writes.
 */
export function createBatch(): (job: () => void) => void {
  let jobs: (() => void)[] = [];
  function runAll(): void {
    const due = jobs;
    jobs = [];
    for (const job of due) job();
  }
  return (job) => {
    if (jobs.push(job) === 1) setImmediate(runAll);
  };
}

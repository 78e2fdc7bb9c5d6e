/** Runs what wants to be written at the end of this turn, together: the client then makes one write of it. */
export function createDepartures(): (job: () => void) => void {
  let jobs: (() => void)[] = [];
  function depart(): void {
    const leaving = jobs;
    jobs = [];
    for (const job of leaving) job();
  }
  return (job) => {
    if (jobs.push(job) === 1) setImmediate(depart);
  };
}

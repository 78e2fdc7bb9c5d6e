import { performance } from 'node:perf_hooks';

/** A process is quiet while its event loop is busy for less than this share of the time. */
const quietShare = 0.02;

/** Returns a check whether the process was quiet since the check before. */
export function watchQuiet(): () => boolean {
  let last = performance.eventLoopUtilization();
  return () => {
    const now = performance.eventLoopUtilization();
    const { utilization } = performance.eventLoopUtilization(now, last);
    last = now;
    return utilization <= quietShare;
  };
}

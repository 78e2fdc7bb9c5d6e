import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isMainThread } from 'node:worker_threads';

// Loaded into each process of the gateway (`--import`): measures the processor time of the turns of its event loop, which a
// busy machine does not lengthen. On SIGUSR2 it writes the longest one since the last time, in milliseconds.

const everyMs = 5;
let longest = 0;
let before = cpuMs();

function cpuMs() {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}

if (isMainThread) {
  setInterval(() => {
    const now = cpuMs();
    longest = Math.max(longest, now - before);
    before = now;
  }, everyMs).unref();
  process.on('SIGUSR2', () => {
    writeFileSync(join(process.env.TURN_FOLDER, String(process.pid)), String(longest));
    longest = 0;
    before = cpuMs();
  });
}

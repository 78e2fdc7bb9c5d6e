// Loaded into every started process: if the parent is killed (SIGKILL), this process sends itself a SIGTERM.
import process from 'node:process';

const parent = process.ppid;
const watch = setInterval(() => {
  if (process.ppid === parent) return;
  clearInterval(watch);
  process.kill(process.pid, 'SIGTERM');
}, 500);
watch.unref();

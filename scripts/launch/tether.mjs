// Loaded into every started process: whoever started us dying without a word (SIGKILL) ends us as a SIGTERM would.
import process from 'node:process';

const parent = process.ppid;
const watch = setInterval(() => {
  if (process.ppid === parent) return;
  clearInterval(watch);
  process.kill(process.pid, 'SIGTERM');
}, 500);
watch.unref();

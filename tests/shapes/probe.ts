import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { parseChatRequest, parseJsonBody } from '@tallyport/wire';

/** The cost of reading one body. */
export interface Probe {
  outcome: string;
  /** CPU time of this thread, independent of other load on the machine. */
  cpuMs: number;
  /** Peak memory, including the body. */
  bytes: number;
}

/** Reads a body as chat-svc does. The memory figure is valid once per process, because it is the peak so far. */
export function probe(body: Buffer): Probe {
  const bytesBefore = residentBytes('VmRSS');
  const before = process.threadCpuUsage();
  const outcome = outcomeOf(body);
  const { user, system } = process.threadCpuUsage(before);
  const bytes = Math.max(0, residentBytes('VmHWM') - bytesBefore) + body.length;
  return { outcome, cpuMs: (user + system) / 1000, bytes };
}

/** Current (VmRSS) or peak (VmHWM) memory of this program. Node's peak also includes the program before `exec`. */
function residentBytes(field: 'VmRSS' | 'VmHWM'): number {
  const [, kilobytes] = new RegExp(`${field}:\\s+(\\d+) kB`).exec(readFileSync('/proc/self/status', 'utf8')) ?? [];
  return Number(kilobytes) * 1024;
}

function outcomeOf(body: Buffer): string {
  const read = parseJsonBody([body], randomUUID);
  if (!read.ok) return read.problem.code;
  return parseChatRequest(read.value).ok ? 'good' : 'invalid_parameters';
}

/** As a program: reads the body from a file and prints the cost. */
if (import.meta.main) {
  const [path = ''] = process.argv.slice(2);
  probe(Buffer.from('{"model":"m","messages":[{"role":"user","content":"Hi"}]}'));
  process.stdout.write(JSON.stringify(probe(readFileSync(path))));
}

import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** The part of a V8 CPU profile that is used. */
interface Profile {
  nodes: { id: number; callFrame: { functionName: string; url: string; lineNumber: number } }[];
  samples: number[];
  timeDeltas: number[];
}

const root = fileURLToPath(new URL('..', import.meta.url));
const [path, count = '30', skipSeconds = '4'] = process.argv.slice(2);
if (path === undefined) {
  console.error('usage: node bench/profile-top.ts <file.cpuprofile> [count] [seconds of start-up to skip]');
  process.exitCode = 1;
} else {
  printTop(JSON.parse(readFileSync(path, 'utf8')), { most: Number(count), skipMs: Number(skipSeconds) * 1e3 });
}

/** Prints the functions with the largest self time, which excludes the functions they call. */
function printTop(profile: Profile, { most, skipMs }: { most: number; skipMs: number }): void {
  const selfMs = selfTimes(profile, skipMs);
  const idle = selfMs.get('(idle)') ?? 0;
  const total = [...selfMs.values()].reduce((sum, time) => sum + time, 0) - idle;
  console.log(`busy ${(total / 1e3).toFixed(2)} s, idle ${(idle / 1e3).toFixed(2)} s`);
  const busiest = [...selfMs].filter(([name]) => name !== '(idle)').sort(([, a], [, b]) => b - a);
  for (const [name, time] of busiest.slice(0, most)) {
    console.log(`${((100 * time) / total).toFixed(1).padStart(5)} %  ${time.toFixed(0).padStart(6)} ms  ${name}`);
  }
}

function selfTimes({ nodes, samples, timeDeltas }: Profile, skipMs: number): Map<string, number> {
  const names = new Map(nodes.map(({ id, callFrame }) => [id, nameOf(callFrame)]));
  const times = new Map<string, number>();
  let elapsedMs = 0;
  for (const [index, id] of samples.entries()) {
    const milliseconds = (timeDeltas[index] ?? 0) / 1e3;
    elapsedMs += milliseconds;
    const name = names.get(id) ?? '(unknown)';
    if (elapsedMs > skipMs) times.set(name, (times.get(name) ?? 0) + milliseconds);
  }
  return times;
}

function nameOf({ functionName, url, lineNumber }: Profile['nodes'][number]['callFrame']): string {
  const name = functionName || '(anonymous)';
  const file = url
    .replace('file://', '')
    .replace(root, '')
    .replace(/^node_modules\/.*\/node_modules\//, '');
  return file ? `${name}  ${file}:${lineNumber + 1}` : name;
}

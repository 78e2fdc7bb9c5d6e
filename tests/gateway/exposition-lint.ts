import { spawnSync } from 'node:child_process';

/**
 * Findings of `promtool check metrics`, found on PATH or by TEST_PROMTOOL; `undefined` if promtool is not installed.
 */
export function promtoolComplaints(exposition: string): string[] | undefined {
  const program = process.env.TEST_PROMTOOL ?? 'promtool';
  const { error, stderr, status } = spawnSync(program, ['check', 'metrics'], { input: exposition, encoding: 'utf8' });
  if (error !== undefined && process.env.TEST_PROMTOOL === undefined) return undefined;
  if (error !== undefined) throw error;
  const lines = stderr.split('\n').filter((line) => line !== '');
  return status !== 0 && lines.length === 0 ? [`promtool ended with ${status}`] : lines;
}

/** The rules of promtool that concern our metrics, for machines without it. Returns the violations. */
export function lintExposition(exposition: string): string[] {
  const lines = exposition.split('\n');
  const helped = new Set(lines.flatMap((line) => /^# HELP (\S+) \S/.exec(line)?.[1] ?? []));
  const types = new Map(lines.flatMap(typeIn));
  const complaints = [...types].flatMap(([name, type]) => complaintsAbout(name, type));
  for (const name of new Set(lines.flatMap((line) => /^([^#{\s][^{\s]*)/.exec(line)?.[1] ?? []))) {
    const family = types.has(name) ? name : name.replace(/_(bucket|sum|count)$/, '');
    if (!helped.has(family)) complaints.push(`${name} has no HELP`);
    if (!types.has(family)) complaints.push(`${name} has no TYPE`);
  }
  return complaints;
}

const typeIn = (line: string): [string, string][] => {
  const [, name, type] = /^# TYPE (\S+) (\S+)$/.exec(line) ?? [];
  return name === undefined || type === undefined ? [] : [[name, type]];
};

const oddUnit =
  /_(ms|millis|milliseconds|micros|microseconds|minutes|hours|days|kb|mb|kilobytes|megabytes|percent)(_|$)/;

function complaintsAbout(name: string, type: string): string[] {
  const bare = name.replace(/_total$/, '');
  const complaints: string[] = [];
  if (type === 'counter' && !name.endsWith('_total')) complaints.push(`${name} is a counter and must end in _total`);
  if (type !== 'counter' && name.endsWith('_total'))
    complaints.push(`${name} is no counter and must not end in _total`);
  if (oddUnit.test(name)) complaints.push(`${name} must be in seconds, bytes or a ratio`);
  if (/_(duration|latency|lag|overhead|time)(_|$)/.test(bare) && !bare.endsWith('_seconds')) {
    complaints.push(`${name} is a time and must end in _seconds`);
  }
  if (type === 'histogram' && !/_(seconds|bytes|ratio)$/.test(bare)) complaints.push(`${name} names no unit`);
  return complaints;
}

import { execFileSync } from 'node:child_process';
import { availableParallelism, cpus, release, totalmem } from 'node:os';

export interface Machine {
  processor: string;
  cores: number;
  memoryGib: number;
  kernel: string;
  node: string;
  nats: string;
}

export function describeMachine(): Machine {
  return {
    processor: cpus()[0]?.model ?? 'unknown',
    cores: availableParallelism(),
    memoryGib: Math.round(totalmem() / 2 ** 30),
    kernel: release(),
    node: process.version,
    nats: versionOf('nats-server'),
  };
}

function versionOf(program: string): string {
  try {
    return execFileSync(program, ['--version'], { encoding: 'utf8', timeout: 2_000 }).trim();
  } catch {
    return 'unknown';
  }
}

import { spawn } from 'node:child_process';
import { once } from 'node:events';

/** Starts the simulator as a process of its own, so that its work does not count, and returns its address. */
export async function startSimulatedVendors(): Promise<string> {
  const simulator = spawn(process.execPath, ['packages/simulator/src/main.ts', '--chunks-per-second', '0'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  process.once('exit', () => simulator.kill());
  const [started] = (await once(simulator.stdout, 'data')) as [Buffer];
  return JSON.parse(started.toString()).url;
}

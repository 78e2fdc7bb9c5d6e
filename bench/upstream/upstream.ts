import type { Pids } from '../measure/cpu.ts';
import { startChild } from '../support/child.ts';
import { messageOf } from '../support/messages.ts';
import type { UpstreamMode, UpstreamReport } from './mode.ts';

/** Controls the process of the upstream. */
export interface UpstreamProcess {
  port: number;
  pids: Pids;
  setMode(mode: UpstreamMode): Promise<void>;
  report(): Promise<UpstreamReport>;
  stop(): Promise<void>;
}

const deadlineMs = 5_000;

export async function startUpstream(): Promise<UpstreamProcess> {
  const child = startChild(new URL('./main.ts', import.meta.url));
  const { port } = await child.receive(messageOf<'ready', { kind: 'ready'; port: number }>('ready'), deadlineMs);
  return {
    port,
    pids: { upstream: child.pid },
    async setMode(mode) {
      const isSet = child.receive(messageOf<'set', { kind: 'set' }>('set'), deadlineMs);
      child.send({ kind: 'mode', mode });
      await isSet;
    },
    report() {
      const report = child.receive(messageOf<'report', UpstreamReport>('report'), deadlineMs);
      child.send({ kind: 'report' });
      return report;
    },
    stop: child.stop,
  };
}

import type { StreamPace } from '../answer.ts';
import { fastModel } from '../providers.ts';

/** 0 chunks per second: as fast as the socket accepts. */
export function paceOf(model: string, chunksPerSecond: number): StreamPace {
  if (chunksPerSecond === 0 || model === fastModel) return { kind: 'burst' };
  return { kind: 'timed', everyMs: 1000 / chunksPerSecond };
}

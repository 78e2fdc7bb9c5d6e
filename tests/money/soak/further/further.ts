import { setTimeout as pause } from 'node:timers/promises';
import type { MoneySystem } from '../../system.ts';
import { sendAlerts } from './alerts.ts';
import type { Use } from './feature.ts';
import { askGuarded } from './guarded.ts';
import { talk } from './realtime-sessions.ts';
import { callTools } from './registered-server.ts';
import { keepResponses } from './stored-responses.ts';

const features = [sendAlerts, askGuarded, callTools, keepResponses, talk];

/** Uses each feature at a steady rate until `over` aborts, and resolves with all uses when they have ended. */
export async function useFeatures(system: MoneySystem, over: AbortSignal): Promise<Use[]> {
  const running = features.map(async (open) => {
    const feature = await open(system);
    const uses: Promise<Use>[] = [];
    for (let number = 0; !over.aborted; number += 1) {
      uses.push(feature.use(number));
      await pause(feature.everyMs, undefined, { signal: over }).catch(() => undefined);
    }
    const all = await Promise.all(uses);
    const ended = (await feature.end?.()) ?? [];
    await feature.stop?.();
    return [...all, ...ended];
  });
  return (await Promise.all(running)).flat();
}

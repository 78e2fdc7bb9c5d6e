import type { Mechanism } from './mechanism.ts';
import { health } from './parts/health.ts';
import { heartbeats } from './parts/heartbeats.ts';

export const mechanisms: readonly Mechanism[] = [health, heartbeats];

import { addedLatency } from './added-latency.ts';
import type { Case } from './case.ts';
import { fullSpeed } from './full-speed.ts';
import { largeAnswers } from './large-answers.ts';
import { disconnects } from './disconnects.ts';
import { openStreams } from './open-streams.ts';
import { paced } from './paced.ts';
import { saturation } from './saturation.ts';

export const cases: readonly Case[] = [
  saturation,
  addedLatency,
  fullSpeed,
  openStreams,
  largeAnswers,
  disconnects,
  paced,
];

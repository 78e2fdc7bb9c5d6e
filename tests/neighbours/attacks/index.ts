import type { Attack } from './attack.ts';
import { bodyAttacks } from './bodies.ts';
import { guardrailAttacks } from './guardrails.ts';
import { readingAttacks } from './readings.ts';
import { registeredServerAttacks } from './registered-servers.ts';
import { writingAttacks } from './writings.ts';

/** The worst that an account may do, by feature. */
export const attacks: readonly Attack[] = [
  ...bodyAttacks,
  ...guardrailAttacks,
  ...readingAttacks,
  ...registeredServerAttacks,
  ...writingAttacks,
];

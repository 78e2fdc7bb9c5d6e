import { z } from 'zod';
import { longestPassword, shortestPassword } from './passwords.ts';

/** Long rather than colourful: length is what guessing minds. */
export const newPasswordSchema = z
  .string('must be text')
  .min(shortestPassword, `must have at least ${shortestPassword} characters`)
  .max(longestPassword, `must have at most ${longestPassword} characters`);

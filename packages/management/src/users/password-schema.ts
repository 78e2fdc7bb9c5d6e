import { z } from 'zod';
import { isGuessable } from './guessable.ts';

export const shortestPassword = 12;
export const longestPassword = 256;

/** Requires length rather than special characters, which protect less, and refuses common words and repetitions. */
export const newPasswordSchema = z
  .string('must be a string')
  .min(shortestPassword, `must have at least ${shortestPassword} characters`)
  .max(longestPassword, `must have at most ${longestPassword} characters`)
  // Report one problem at a time: a short password is usually guessable, too.
  .refine((password) => outOfBounds(password) || !isGuessable(password), {
    message: 'is easy to guess; use several unrelated words, or a password manager',
  });

const outOfBounds = ({ length }: string): boolean => length < shortestPassword || length > longestPassword;

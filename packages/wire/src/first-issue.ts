import type { z } from 'zod';
import { issueText } from './issue-text.ts';

/** Options for zod's parsers: our texts, and only the first issue. Finding all takes seconds in a long invalid list. */
export const firstIssue: z.core.ParseContextInternal<z.core.$ZodIssue> = { abortEarly: true, error: issueText };

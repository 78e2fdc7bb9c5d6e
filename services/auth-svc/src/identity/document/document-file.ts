import type { FileProblem } from '@tallyport/wire/yaml';
import type { z } from 'zod';

/** Turns issues into sentences; an unknown member is reported at its own path. */
export const documentProblems = ({ issues }: z.ZodError): FileProblem[] =>
  issues.flatMap(({ path, ...issue }): FileProblem[] =>
    issue.code === 'unrecognized_keys'
      ? issue.keys.map((key) => ({ path: [...path, key], message: 'is not a known member.' }))
      : [{ path, message: `${issue.message}.` }],
  );

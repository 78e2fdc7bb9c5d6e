import type { z } from 'zod';

/** A problem of a request, with the path of the invalid member: `messages[2].content`. */
export interface RequestProblem {
  param: string | null;
  message: string;
}

type Issue = z.core.$ZodIssue;
type Path = readonly PropertyKey[];

/** The first issue, as a message for the author of the request. */
export function problemOf(error: z.core.$ZodError): RequestProblem {
  const issue = error.issues[0];
  if (issue === undefined) return { param: null, message: 'The request is not valid.' };
  const { path, message } = deepest(issue, []);
  const param = paramOf(path);
  return { param, message: `${param ?? 'the body'}: ${message}` };
}

/** For a union, picks the alternative that matched furthest, because it is most likely the intended one. */
function deepest(issue: Issue, parent: Path): { path: Path; message: string } {
  const path = [...parent, ...issue.path];
  if (issue.code !== 'invalid_union') return { path, message: issue.message };
  const inner = issue.errors.flatMap((issues) => issues.slice(0, 1)).map((first) => deepest(first, path));
  const furthest = inner.toSorted((left, right) => right.path.length - left.path.length)[0];
  return furthest !== undefined && furthest.path.length > path.length ? furthest : { path, message: issue.message };
}

function paramOf(path: Path): string | null {
  if (path.length === 0) return null;
  return path
    .map((step, at) => (typeof step === 'number' ? `[${step}]` : `${at === 0 ? '' : '.'}${String(step)}`))
    .join('');
}

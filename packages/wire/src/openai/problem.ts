import type { z } from 'zod';

/** A problem of a request, with the path of the invalid member: `messages[2].content`. */
export interface RequestProblem {
  param: string | null;
  message: string;
  /** The member is right at its vendor, but not supported here. */
  isUnsupported?: true;
}

type Issue = z.core.$ZodIssue;
type Path = readonly PropertyKey[];

/** The first issue, as a message for the author of the request. */
export function problemOf(error: z.core.$ZodError): RequestProblem {
  const issue = error.issues[0];
  if (issue === undefined) return { param: null, message: 'The request is not valid.' };
  const { path, message, isUnsupported } = deepest(issue, []);
  const param = paramOf(path);
  return { param, message: `${param ?? 'the body'}: ${message}`, ...(isUnsupported && { isUnsupported }) };
}

interface Found {
  path: Path;
  message: string;
  isUnsupported: boolean;
}

/** For a union, picks the alternative that matched furthest, because it is most likely the intended one. */
function deepest(issue: Issue, parent: Path): Found {
  const path = [...parent, ...issue.path];
  const found = { path, message: issue.message, isUnsupported: isUnsupported(issue) };
  if (issue.code !== 'invalid_union') return found;
  const inner = issue.errors.flatMap((issues) => issues.slice(0, 1)).map((first) => deepest(first, path));
  const furthest = inner.toSorted((left, right) => right.path.length - left.path.length)[0];
  return furthest !== undefined && furthest.path.length > path.length ? furthest : found;
}

/** A schema marks its own refusals; a `type` that it does not know is another kind of the same thing. */
function isUnsupported(issue: Issue): boolean {
  if (issue.code === 'custom') return issue.params?.['unsupported'] === true;
  return issue.code === 'invalid_union' && issue.path.at(-1) === 'type';
}

function paramOf(path: Path): string | null {
  if (path.length === 0) return null;
  return path
    .map((step, at) => (typeof step === 'number' ? `[${step}]` : `${at === 0 ? '' : '.'}${String(step)}`))
    .join('');
}

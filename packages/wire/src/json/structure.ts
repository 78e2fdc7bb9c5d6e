type Container = Readonly<Record<string, unknown>> | readonly unknown[];

/** Deep enough for any JSON schema, and far from a stack overflow. */
export const mostLevels = 200;
export const tooDeep = `nested deeper than ${mostLevels} levels`;
/** Twice the number in the largest schemas. A member costs far more to check than an element. */
const mostMembers = 10_000;

/**
 * Why the code after parsing cannot handle a JSON value; `undefined` if it can. JSON.parse accepts any depth, but later
 * code recurses (JSON.stringify, for one) and would overflow the stack. This check itself never recurses deeper than
 * the limit.
 */
export const structureProblem = (value: unknown): string | undefined =>
  isContainer(value) ? problemWithin(value, mostLevels) : undefined;

function problemWithin(value: Container, levels: number): string | undefined {
  if (levels === 0) return tooDeep;
  return isList(value) ? problemInList(value, levels - 1) : problemInMembers(value, levels - 1);
}

function problemInList(elements: readonly unknown[], levels: number): string | undefined {
  for (const element of elements) {
    const problem = isContainer(element) ? problemWithin(element, levels) : undefined;
    if (problem !== undefined) return problem;
  }
  return undefined;
}

/** Uses `for in`, which creates no list of names, because this runs over every member of every request. */
function problemInMembers(members: Readonly<Record<string, unknown>>, levels: number): string | undefined {
  let count = 0;
  for (const name in members) {
    if (++count > mostMembers) return `an object has more than ${mostMembers} members`;
    const member = members[name];
    const problem = isContainer(member) ? problemWithin(member, levels) : undefined;
    if (problem !== undefined) return problem;
  }
  return undefined;
}

const isList = (value: Container): value is readonly unknown[] => Array.isArray(value);

const isContainer = (value: unknown): value is Container => typeof value === 'object' && value !== null;

type Container = Readonly<Record<string, unknown>> | readonly unknown[];

/**
 * Whether a parsed JSON value stays within a depth. JSON.parse takes any depth, but what comes after it recurses
 * (JSON.stringify to begin with), and a deep value would overflow the stack there; this check itself never goes deeper
 * than the limit.
 */
export const isNestedWithin = (value: unknown, levels: number): boolean => !isContainer(value) || within(value, levels);

function within(value: Container, levels: number): boolean {
  if (levels === 0) return false;
  return isList(value) ? listWithin(value, levels - 1) : membersWithin(value, levels - 1);
}

function listWithin(elements: readonly unknown[], levels: number): boolean {
  for (const element of elements) if (isContainer(element) && !within(element, levels)) return false;
  return true;
}

/** `for in` makes no list of names: this runs over every member of every request. */
function membersWithin(members: Readonly<Record<string, unknown>>, levels: number): boolean {
  for (const name in members) {
    const member = members[name];
    if (isContainer(member) && !within(member, levels)) return false;
  }
  return true;
}

const isList = (value: Container): value is readonly unknown[] => Array.isArray(value);

const isContainer = (value: unknown): value is Container => typeof value === 'object' && value !== null;

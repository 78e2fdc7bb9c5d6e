/** The first fault found in a list; `undefined` if there is none. */
export function findFirst<Item, Fault>(
  items: Iterable<Item>,
  check: (item: Item, index: number) => Fault | undefined,
): Fault | undefined {
  let index = 0;
  for (const item of items) {
    const fault = check(item, index);
    if (fault !== undefined) return fault;
    index += 1;
  }
  return undefined;
}

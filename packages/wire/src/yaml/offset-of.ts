import { type Document, isMap, isNode, isScalar, isSeq, type Node } from 'yaml';

/** The offset of the innermost existing member of a path, which for a missing member is where it should be. */
export function offsetOf(document: Document.Parsed, path: readonly PropertyKey[]): number {
  let node: unknown = document.contents;
  let offset = startOf(document.contents) ?? 0;
  for (const member of path) {
    const [key, value] = childOf(node, member);
    offset = startOf(key) ?? startOf(value) ?? offset;
    node = value;
  }
  return offset;
}

const startOf = (node: unknown): number | undefined => (isNode(node) ? (node satisfies Node).range?.[0] : undefined);

/** The member's name as written in the file, and its value. */
function childOf(node: unknown, member: PropertyKey): [key: unknown, value: unknown] {
  if (isSeq(node)) return [undefined, node.items[Number(member)]];
  if (!isMap(node)) return [undefined, undefined];
  const pair = node.items.find(({ key }) => isScalar(key) && String(key.value) === String(member));
  return [pair?.key, pair?.value];
}

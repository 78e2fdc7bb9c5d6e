import { type ReferenceOperation, operationsOf, type ReferenceDocument } from './document.ts';

export const areaGroups = ['API', 'Gateway', 'Management'] as const;

/** The operations of one tag: they have a page together. */
export interface Area {
  title: string;
  group: (typeof areaGroups)[number];
  /** The last part of the page's address. */
  slug: string;
  operations: readonly ReferenceOperation[];
}

const management = 'Manage: ';
const gatewayTags: readonly string[] = ['MCP', 'OAuth', 'Health'];

/** One area for each tag, in the order of the document; those of the management API by name. */
export function areasOf(document: ReferenceDocument): Area[] {
  const operations = Map.groupBy(operationsOf(document), ({ tags: [tag] }) => tag);
  const areas = document.tags.map(({ name }) => areaOf(name, operations.get(name) ?? []));
  return areaGroups.flatMap((group) => {
    const inGroup = areas.filter((area) => area.group === group);
    return group === 'Management' ? inGroup.toSorted((one, other) => one.title.localeCompare(other.title)) : inGroup;
  });
}

function areaOf(tag: string, operations: readonly ReferenceOperation[]): Area {
  const slug = tag.toLowerCase().replaceAll(/[^a-z]+/g, '-');
  if (tag.startsWith(management)) {
    return { title: titleOf(tag.slice(management.length)), group: 'Management', slug, operations };
  }
  return { title: tag, group: gatewayTags.includes(tag) ? 'Gateway' : 'API', slug, operations };
}

const abbreviations: Readonly<Record<string, string>> = { mcp: 'MCP', oauth: 'OAuth' };

/** `MCP servers` of `mcp servers`. */
function titleOf(name: string): string {
  const text = name.replaceAll(/\w+/g, (word) => abbreviations[word] ?? word);
  return text.charAt(0).toUpperCase() + text.slice(1);
}

export const addressOf = ({ slug }: Pick<Area, 'slug'>, { operationId }: Partial<ReferenceOperation> = {}): string =>
  operationId === undefined ? `/docs/${slug}` : `/docs/${slug}#${operationId}`;

import { families, type NamedFamily } from '../clients/families.ts';
import { markdownTable } from '../structure/markdown-table.ts';
import { apiNames, type ClientApi, clientApis } from './apis/client-apis.ts';
import type { Column } from './columns/column.ts';
import { count } from './columns/count.ts';
import { ids } from './columns/ids.ts';
import { numbers } from './columns/numbers.ts';
import { order } from './columns/order.ts';
import { thinking } from './columns/thinking.ts';

/** What holds for the turns of a conversation. */
export const columns: readonly Column[] = [thinking, ids, numbers, order, count];

interface Case {
  family: NamedFamily;
  api: ClientApi;
}

/** The cases of one column: the tests run all of them, and the table shows them. */
export const casesOf = ({ holds }: Column): Case[] =>
  families.flatMap((family) => apiNames.filter((api) => holds(family, api)).map((api) => ({ family, api })));

/** The table in docs/providers.md: a row for each model that the tests ask, which says nothing about others of its vendor. */
export function conversationTable(): string {
  const rows = families.map((family) => [`\`${family.name}\``, ...columns.map((column) => cellOf(column, family))]);
  return markdownTable([['model', ...columns.map(({ title }) => title)], ...rows]);
}

/** The APIs of clients for which the model has it. */
function cellOf({ holds }: Column, family: NamedFamily): string {
  const apis = apiNames.filter((api) => holds(family, api));
  if (apis.length === apiNames.length) return 'yes';
  return apis.length === 0 ? '–' : apis.map((api) => clientApis[api].title).join(', ');
}

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

/** The table in docs/providers.md: a row for each vendor. */
export function conversationTable(): string {
  const providers = [...new Set(families.map(({ provider }) => provider))];
  const rows = providers.map((provider) => [`\`${provider}\``, ...columns.map((column) => cellOf(column, provider))]);
  return markdownTable([['provider', ...columns.map(({ title }) => title)], ...rows]);
}

/** The APIs of clients for which all models of the provider have it. */
function cellOf({ holds }: Column, provider: string): string {
  const models = families.filter((family) => family.provider === provider);
  const apis = apiNames.filter((api) => models.every((family) => holds(family, api)));
  if (apis.length === apiNames.length) return 'yes';
  return apis.length === 0 ? '–' : apis.map((api) => clientApis[api].title).join(', ');
}

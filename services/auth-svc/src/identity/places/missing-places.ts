import type { Database } from '@tallyport/database';
import type { Identity } from '../document/read-identity.ts';

type Rules = Pick<Identity, 'providers' | 'workloads'>;

/** An account, or a project in it, that a rule names. */
interface NamedPlace {
  rule: string;
  account: string;
  project: string | undefined;
}

/**
 * Why rules of the document have no effect: a sentence for each account or project that does not exist. The document
 * stays valid, because accounts and projects are created and deleted at other times than it changes.
 */
export async function missingPlaces({ kysely }: Database, rules: Rules): Promise<string[]> {
  const named = namedPlaces(rules);
  if (named.length === 0) return [];
  const ids = [...new Set(named.map(({ account }) => account))];
  const accounts = await kysely.selectFrom('accounts').select('id').where('id', 'in', ids).execute();
  const projects = await kysely
    .selectFrom('projects')
    .select(['account_id', 'id', 'name'])
    .where('account_id', 'in', ids)
    .execute();
  const existing = new Set([
    ...accounts.map(({ id }) => placeOf(id)),
    ...projects.flatMap(({ account_id, id, name }) => [placeOf(account_id, id), placeOf(account_id, name)]),
  ]);
  return [...new Set(named.flatMap((place) => problemOf(place, existing)))];
}

const namedPlaces = ({ providers, workloads }: Rules): NamedPlace[] => [
  ...providers.flatMap(({ id, access }) =>
    access.map(({ account, project }) => ({ rule: `provider ${id}`, account, project })),
  ),
  ...workloads.map(({ id, account, project }) => ({ rule: `workload ${id}`, account, project })),
];

function problemOf({ rule, account, project }: NamedPlace, existing: ReadonlySet<string>): string[] {
  if (!existing.has(placeOf(account))) return [`${rule}: there is no account ${JSON.stringify(account)}.`];
  if (project === undefined || existing.has(placeOf(account, project))) return [];
  return [`${rule}: the account ${JSON.stringify(account)} has no project ${JSON.stringify(project)}.`];
}

const placeOf = (account: string, project = ''): string => JSON.stringify([account, project.toLowerCase()]);

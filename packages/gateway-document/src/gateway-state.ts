import type {
  Account,
  AlertRecord,
  Invitation,
  McpServerRecord,
  Member,
  OAuthClient,
  ProjectMember,
  ProjectOverview,
} from '@tallyport/management';
import { type ApiKey, defaultAccountId } from '@tallyport/contracts';
import type { GuardWebhookRecord, ProviderKeyRecord, RouteRecord } from '@tallyport/management';
import type { AccountEntry, GatewayDocument } from './document.ts';
import { isDenied, type CallInAccount } from './call-in-account.ts';
import { workingKeys } from './working-keys.ts';
import type { FileProblem } from '@tallyport/wire/yaml';

/** What an account has, of the sections that the document manages. */
export interface AccountState {
  account: Account;
  /** Also where only keys or alerts are managed, because these name projects. */
  projects: readonly ProjectOverview[];
  /** By the id of a project, where the document manages its members. */
  projectMembers: ReadonlyMap<string, readonly ProjectMember[]>;
  guardWebhooks: readonly GuardWebhookRecord[];
  routes: readonly RouteRecord[];
  /** Also where only alerts are managed, because these name keys. */
  keys: readonly ApiKey[];
  providerKeys: readonly ProviderKeyRecord[];
  members: readonly Member[];
  invitations: readonly Invitation[];
  mcpServers: readonly McpServerRecord[];
  alerts: readonly AlertRecord[];
  oauthClients: readonly OAuthClient[];
}

export interface GatewayState {
  /** By entry of the document. Accounts that do not exist are missing. */
  accounts: ReadonlyMap<string, AccountState>;
  problems: readonly FileProblem[];
}

/** Reads the state of every account that the document names. */
export async function readState(manage: CallInAccount, document: GatewayDocument): Promise<GatewayState> {
  const existing = await visibleAccounts(manage);
  const accounts = new Map<string, AccountState>();
  const problems: FileProblem[] = [];
  const taken = new Set<string>();
  for (const [name, entry] of Object.entries(document.accounts)) {
    const [account, ...others] = accountsNamed(name, existing);
    const message = problemOf({ name, account, isAmbiguous: others.length > 0, taken });
    if (message !== undefined) problems.push({ path: ['accounts', name], message });
    else if (account) accounts.set(name, await readAccountState(manage, account, entry));
    if (account) taken.add(account.id);
  }
  return { accounts, problems };
}

/** Operators see all accounts; the key of another account sees its own. */
async function visibleAccounts(manage: CallInAccount): Promise<Account[]> {
  try {
    return (await manage('listAccounts', {})).accounts;
  } catch (error) {
    if (!isDenied(error)) throw error;
    return [await manage('readAccount', {})];
  }
}

function accountsNamed(name: string, accounts: readonly Account[]): Account[] {
  const byId = accounts.filter(({ id }) => id === name);
  return byId.length > 0 ? byId : accounts.filter((account) => account.name === name);
}

export const isAccountId = (name: string): boolean => name === defaultAccountId || /^account_[0-9a-f]{32}$/.test(name);

interface Match {
  name: string;
  account: Account | undefined;
  isAmbiguous: boolean;
  taken: ReadonlySet<string>;
}

function problemOf({ name, account, isAmbiguous, taken }: Match): string | undefined {
  if (isAmbiguous) return 'is the name of several accounts; use the id of one';
  if (account === undefined)
    return isAccountId(name) ? 'is not the id of an account that this key may change' : undefined;
  return taken.has(account.id) ? 'is an account that another entry already describes' : undefined;
}

async function readAccountState(manage: CallInAccount, account: Account, entry: AccountEntry): Promise<AccountState> {
  const { id } = account;
  const {
    projects: managed = {},
    guardWebhooks,
    routes,
    keys,
    providerKeys,
    mcpServers,
    alerts,
    members,
    oauthClients,
  } = entry;
  const projects = entry.projects || keys || entry.alerts ? (await manage('listProjects', {}, id)).projects : [];
  const withMembers = projects.filter(({ name }) => managed[name]?.members);
  const hasMembers = members !== undefined || Object.values(managed).some((project) => project.members);
  return {
    account,
    projects,
    projectMembers: await readProjectMembers(manage, id, withMembers),
    guardWebhooks: await listIf(guardWebhooks, async () => (await manage('listGuardWebhooks', {}, id)).guardWebhooks),
    routes: await listIf(routes, async () => (await manage('listRoutes', {}, id)).routes),
    keys: await listIf(keys ?? alerts, async () => (await manage('listKeys', workingKeys, id)).keys),
    providerKeys: await listIf(providerKeys, async () => (await manage('listProviderKeys', {}, id)).providerKeys),
    mcpServers: await listIf(mcpServers, async () => (await manage('listMcpServers', {}, id)).mcpServers),
    alerts: await listIf(alerts, async () => (await manage('listAlerts', {}, id)).alerts),
    members: await listIf(hasMembers, async () => (await manage('listMembers', {}, id)).members),
    invitations: await listIf(hasMembers, async () => (await manage('listInvitations', {}, id)).invitations),
    oauthClients: await listIf(oauthClients, async () => (await manage('listOAuthClients', {}, id)).clients),
  };
}

/** Only what the document manages, or names, is read. */
const listIf = async <Item>(managed: unknown, list: () => Promise<readonly Item[]>): Promise<readonly Item[]> =>
  managed === undefined || managed === false ? [] : list();

async function readProjectMembers(
  manage: CallInAccount,
  accountId: string,
  projects: readonly ProjectOverview[],
): Promise<ReadonlyMap<string, readonly ProjectMember[]>> {
  const found = new Map<string, readonly ProjectMember[]>();
  for (const { id } of projects) found.set(id, (await manage('listProjectMembers', { id }, accountId)).members);
  return found;
}

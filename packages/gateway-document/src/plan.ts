import type { AccountPart } from './account-part.ts';
import type { AccountEntry, GatewayDocument } from './document.ts';
import type { AccountState, GatewayState } from './gateway-state.ts';
import { planAlerts } from './parts/plan-alerts.ts';
import { planGuardWebhooks } from './parts/plan-guard-webhooks.ts';
import { planKeys } from './parts/plan-keys.ts';
import { planMcpServers } from './parts/plan-mcp-servers.ts';
import { planMembers } from './parts/plan-members.ts';
import { planOAuthClients } from './parts/plan-oauth-clients.ts';
import { planOtherProjects, planProjects } from './parts/plan-projects.ts';
import { planProviderKeys } from './parts/plan-provider-keys.ts';
import { planRoutes } from './parts/plan-routes.ts';
import { planAccount, planSettings } from './parts/plan-settings.ts';
import type { PlanOptions } from './plan-options.ts';
import { emptyPart, joinParts, type PartPlan } from './plan-step.ts';

/** Compares the document with the gateway. Pure: nothing is changed. */
export const planDocument = (document: GatewayDocument, state: GatewayState, options: PlanOptions): PartPlan => {
  const parts = Object.entries(document.accounts).map(([account, entry]) =>
    planEntry({ account, entry, state: state.accounts.get(account) }, options),
  );
  return joinParts([{ ...emptyPart, problems: state.problems }, ...parts]);
};

/**
 * What others name is first: webhooks before guardrails of settings and keys, projects before routes, provider keys, MCP servers,
 * projects and routes before keys, keys before alerts. Projects are deleted after their keys.
 */
function planEntry({ account, entry, state }: AccountPart<AccountEntry>, options: PlanOptions): PartPlan {
  const { settings, guardWebhooks, providerKeys, mcpServers, projects, routes, keys, alerts, oauthClients, members } =
    entry;
  const place = { account, state };
  const newKeys = Object.keys(keys ?? {});
  const newProjects = Object.keys(projects ?? {});
  return joinParts([
    planAccount(place),
    planPart(guardWebhooks, (part) => planGuardWebhooks({ ...place, entry: part }, options)),
    planPart(settings, (part) => planSettings({ ...place, entry: part })),
    planPart(providerKeys, (part) => planProviderKeys({ ...place, entry: part }, options)),
    planPart(mcpServers, (part) => planMcpServers({ ...place, entry: part }, options)),
    planPart(projects, (part) => planProjects({ ...place, entry: part }, { invited: invitedTo(entry, state) })),
    planPart(routes, (part) => planRoutes({ ...place, entry: part })),
    planPart(keys, (part) => planKeys({ ...place, entry: part }, { ...options, newProjects })),
    planPart(alerts, (part) => planAlerts({ ...place, entry: part }, { ...options, newKeys, newProjects })),
    planPart(projects, (part) => planOtherProjects({ ...place, entry: part })),
    planPart(oauthClients, (part) => planOAuthClients({ ...place, entry: part })),
    planPart(members, (part) => planMembers({ ...place, entry: part }, { managesKeys: keys !== undefined })),
  ]);
}

/** The document leaves out what it does not manage. */
const planPart = <Part>(part: Part | undefined, plan: (part: Part) => PartPlan): PartPlan =>
  part === undefined ? emptyPart : plan(part);

/** Who will be a member of the account after accepting an invitation. */
const invitedTo = ({ members = {} }: AccountEntry, state: AccountState | undefined): string[] => [
  ...Object.keys(members),
  ...(state?.invitations ?? []).map(({ email }) => email),
];

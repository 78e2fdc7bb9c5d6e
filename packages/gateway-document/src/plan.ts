import type { AccountPart } from './account-part.ts';
import type { AccountEntry, GatewayDocument } from './document.ts';
import type { GatewayState } from './gateway-state.ts';
import { planKeys } from './parts/plan-keys.ts';
import { planMembers } from './parts/plan-members.ts';
import { planOAuthClients } from './parts/plan-oauth-clients.ts';
import { planProviderKeys } from './parts/plan-provider-keys.ts';
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

/** Provider keys are first, because keys may be restricted to their providers. */
function planEntry({ account, entry, state }: AccountPart<AccountEntry>, options: PlanOptions): PartPlan {
  const { settings, providerKeys, keys, oauthClients, members } = entry;
  const place = { account, state };
  return joinParts([
    planAccount(place),
    settings ? planSettings({ ...place, entry: settings }) : emptyPart,
    providerKeys ? planProviderKeys({ ...place, entry: providerKeys }, options) : emptyPart,
    keys ? planKeys({ ...place, entry: keys }, options) : emptyPart,
    oauthClients ? planOAuthClients({ ...place, entry: oauthClients }) : emptyPart,
    members ? planMembers({ ...place, entry: members }, { managesKeys: keys !== undefined }) : emptyPart,
  ]);
}

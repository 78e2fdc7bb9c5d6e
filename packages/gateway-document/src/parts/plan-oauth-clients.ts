import { isDeepStrictEqual } from 'node:util';
import type { AccountPart } from '../account-part.ts';
import type { OAuthClientEntry } from '../document.ts';
import { settingChanges } from '../setting-changes.ts';
import {
  accountIdOf,
  joinParts,
  type PartPlan,
  problemPart,
  type PlanStep,
  stepPart,
  unchangedPart,
} from '../plan-step.ts';
import { unlistedParts } from '../unlisted-parts.ts';

/** OAuth clients are recognised by their names. The API can create and delete them, but not change them. */
export function planOAuthClients({ account, entry, state }: AccountPart<Record<string, OAuthClientEntry>>): PartPlan {
  const existing = state?.oauthClients ?? [];
  const wanted = Object.entries(entry).map(([name, wish]) => {
    const path = ['accounts', account, 'oauthClients', name];
    const [found, ...others] = existing.filter((client) => client.name === name);
    if (found === undefined) return stepPart(creation(account, name, wish));
    if (others.length > 0) return problemPart(path, 'is the name of several OAuth clients; delete all but one');
    if (isDeepStrictEqual(found.redirectUris.toSorted(), wish.redirectUris.toSorted())) return unchangedPart;
    const message = 'cannot be changed for an existing OAuth client; give the new one another name';
    return problemPart([...path, 'redirectUris'], message);
  });
  return joinParts([...wanted, ...unlistedParts({ account, entry, existing, subjectOf }, 'deleteOAuthClient')]);
}

const creation = (account: string, name: string, wish: OAuthClientEntry): PlanStep => ({
  action: 'create',
  account,
  subject: subjectOf(name),
  changes: settingChanges(['redirectUris'], {}, wish),
  returns: 'oauth-client',
  async run(context) {
    const { secret, client } = await context.manage(
      'createOAuthClient',
      { name, ...wish },
      accountIdOf(context, account),
    );
    return { account, kind: 'oauth-client', name, text: `${client.id}:${secret}` };
  },
});

const subjectOf = (name: string): string => `OAuth client ${JSON.stringify(name)}`;

import { type Account, accountOperations } from '@tallyport/management';
import type { AccountPart } from '../account-part.ts';
import type { AccountSettings } from '../document.ts';
import { isAccountId } from '../gateway-state.ts';
import { changedSettings, settingChanges } from '../setting-changes.ts';
import { accountIdOf, emptyPart, type PartPlan, problemPart, stepPart, unchangedPart } from '../plan-step.ts';

const operation = accountOperations.changeAnyAccount;
const settingNames = operation.input.omit({ id: true }).keyof().options;

/** Creates the account if it does not exist. */
export function planAccount({ account, state }: Omit<AccountPart<unknown>, 'entry'>): PartPlan {
  if (state) return emptyPart;
  return stepPart({
    action: 'create',
    account,
    subject: 'account',
    changes: [],
    async run({ manage, accountIds }) {
      const created = await manage('createAccount', { name: account });
      accountIds.set(account, created.account.id);
      return undefined;
    },
  });
}

export function planSettings({ account, entry, state }: AccountPart<AccountSettings>): PartPlan {
  if (entry.name !== undefined && !isAccountId(account)) {
    const path = ['accounts', account, 'settings', 'name'];
    return problemPart(path, 'is only possible if the account is named by its id; otherwise its entry is its name');
  }
  const actual = state ? settingsOf(state.account) : defaultsOf(account);
  const changes = settingChanges(settingNames, actual, { ...defaultsOf(actual.name), ...entry });
  if (changes.length === 0) return unchangedPart;
  return stepPart({
    action: 'change',
    account,
    subject: 'settings',
    changes,
    async run(context) {
      const id = accountIdOf(context, account);
      await context.manage('changeAnyAccount', operation.input.parse({ id, ...changedSettings(changes) }));
      return undefined;
    },
  });
}

type Settings = Readonly<Record<string, unknown>> & { name: string };

const defaultsOf = (name: string): Settings => ({ name, suspended: false, providerKeyMode: 'own_first' });

const settingsOf = ({ suspendedAt, ...account }: Account): Settings => ({
  ...account,
  suspended: suspendedAt !== undefined,
});

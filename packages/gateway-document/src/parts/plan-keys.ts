import { type ApiKey, keyChangesSchema } from '@switchyard/contracts';
import type { AccountPart } from '../account-part.ts';
import type { KeyEntry } from '../document.ts';
import type { PlanOptions } from '../plan-options.ts';
import { changedSettings, settingChanges } from '../setting-changes.ts';
import {
  accountIdOf,
  extraPart,
  joinParts,
  type PartPlan,
  problemPart,
  type PlanStep,
  stepPart,
  unchangedPart,
} from '../plan-step.ts';

const settingNames = keyChangesSchema.omit({ name: true }).keyof().options;
const newKeyNames = [...settingNames, 'admin'];

/** Keys are recognised by their names. Revoked keys do not count. */
export function planKeys(
  { account, entry, state }: AccountPart<Record<string, KeyEntry>>,
  { isProtected }: Pick<PlanOptions, 'isProtected'>,
): PartPlan {
  const active = (state?.keys ?? []).filter(({ revokedAt }) => revokedAt === undefined);
  const wanted = Object.entries(entry).map(([name, key]) =>
    planKey({ account, name, key, actual: active.filter((each) => each.name === name) }),
  );
  const extra = active.filter((key) => !Object.hasOwn(entry, key.name) && !isProtected(key));
  return joinParts([...wanted, ...extra.map((key) => extraPart(revocation(account, key)))]);
}

interface WantedKey {
  account: string;
  name: string;
  key: KeyEntry;
  actual: readonly ApiKey[];
}

function planKey({ account, name, key, actual }: WantedKey): PartPlan {
  const path = ['accounts', account, 'keys', name];
  const [found, ...others] = actual;
  if (found === undefined) return stepPart(creation(account, name, key));
  if (others.length > 0) return problemPart(path, 'is the name of several keys; rename or revoke all but one');
  if ((found.admin ?? false) !== (key.admin ?? false)) {
    return problemPart([...path, 'admin'], 'cannot be changed for an existing key; give the new key another name');
  }
  const changes = settingChanges(settingNames, found, key);
  if (changes.length === 0) return unchangedPart;
  return stepPart({
    action: 'change',
    account,
    subject: subjectOf(name),
    changes,
    async run(context) {
      const input = { id: found.id, ...keyChangesSchema.parse(changedSettings(changes)) };
      await context.manage('changeKey', input, accountIdOf(context, account));
      return undefined;
    },
  });
}

const creation = (account: string, name: string, key: KeyEntry): PlanStep => ({
  action: 'create',
  account,
  subject: subjectOf(name),
  changes: settingChanges(newKeyNames, {}, key),
  returns: 'key',
  async run(context) {
    const created = await context.manage('createKey', { name, ...key }, accountIdOf(context, account));
    return { account, kind: 'key', name, text: created.key };
  },
});

const revocation = (account: string, { id, name }: ApiKey): PlanStep => ({
  action: 'delete',
  account,
  subject: subjectOf(name),
  changes: [],
  async run(context) {
    await context.manage('revokeKey', { id }, accountIdOf(context, account));
    return undefined;
  },
});

const subjectOf = (name: string): string => `key ${JSON.stringify(name)}`;

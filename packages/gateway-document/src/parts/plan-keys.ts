import { type ApiKey, keyChangesSchema, recognisablePart } from '@switchyard/contracts';
import { keyTextSchema } from '@switchyard/management';
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
  replacedSecret,
  type SettingChange,
  type PlanStep,
  stepPart,
  unchangedPart,
} from '../plan-step.ts';

const settingNames = keyChangesSchema.omit({ name: true }).keyof().options;
const newKeyNames = [...settingNames, 'admin'];

/** Keys are recognised by their names. Revoked keys and those of playgrounds do not count. */
export function planKeys(
  { account, entry, state }: AccountPart<Record<string, KeyEntry>>,
  { isProtected, secrets }: PlanOptions,
): PartPlan {
  const active = (state?.keys ?? []).filter(
    ({ revokedAt, playground }) => revokedAt === undefined && playground === undefined,
  );
  const wanted = Object.entries(entry).map(([name, { key: reference, ...key }]) => {
    const text = reference && secrets(reference);
    return planKey({ account, name, key, text, actual: active.filter((each) => each.name === name) });
  });
  const extra = active.filter((key) => !Object.hasOwn(entry, key.name) && !isProtected(key));
  return joinParts([...wanted, ...extra.map((key) => extraPart(revocation(account, key)))]);
}

interface WantedKey {
  account: string;
  name: string;
  key: Omit<KeyEntry, 'key'>;
  /** The secret itself, if the document refers to it. */
  text: string | undefined;
  actual: readonly ApiKey[];
}

function planKey(wanted: WantedKey): PartPlan {
  const { account, name, key, actual, text } = wanted;
  const path = ['accounts', account, 'keys', name];
  const [found, ...others] = actual;
  const { error } = keyTextSchema.optional().safeParse(text);
  if (error) return problemPart([...path, 'key'], error.issues.map(({ message }) => message).join('; '));
  if (found === undefined) return stepPart(creation(wanted));
  if (others.length > 0) return problemPart(path, 'is the name of several keys; rename or revoke all but one');
  if ((found.admin ?? false) !== (key.admin ?? false)) {
    return problemPart([...path, 'admin'], 'cannot be changed for an existing key; give the new key another name');
  }
  const changes = settingChanges(settingNames, found, key);
  const isReplaced = text !== undefined && recognisablePart(text) !== found.prefix;
  const parts = [
    ...(changes.length > 0 ? [stepPart(change(wanted, found, changes))] : []),
    ...(isReplaced ? [stepPart(rotation(wanted, found))] : []),
  ];
  return parts.length === 0 ? unchangedPart : joinParts(parts);
}

const change = ({ account, name }: WantedKey, { id }: ApiKey, changes: readonly SettingChange[]): PlanStep => ({
  action: 'change',
  account,
  subject: subjectOf(name),
  changes,
  async run(context) {
    const input = { id, ...keyChangesSchema.parse(changedSettings(changes)) };
    await context.manage('changeKey', input, accountIdOf(context, account));
    return undefined;
  },
});

/** The previous text keeps working for the usual overlap. */
const rotation = ({ account, name, text }: WantedKey, { id }: ApiKey): PlanStep => ({
  action: 'change',
  account,
  subject: subjectOf(name),
  changes: [replacedSecret],
  async run(context) {
    await context.manage('rotateKey', { id, key: text }, accountIdOf(context, account));
    return undefined;
  },
});

const creation = ({ account, name, key, text }: WantedKey): PlanStep => ({
  action: 'create',
  account,
  subject: subjectOf(name),
  changes: settingChanges(newKeyNames, {}, key),
  ...(text === undefined && { returns: 'key' as const }),
  async run(context) {
    const input = { name, ...key, key: text };
    const created = await context.manage('createKey', input, accountIdOf(context, account));
    if (text !== undefined) return undefined;
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

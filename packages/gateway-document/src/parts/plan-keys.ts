import { type ApiKey, keyChangesSchema, recognisablePart } from '@tallyport/contracts';
import { keyTextSchema } from '@tallyport/management';
import type { AccountPart } from '../account-part.ts';
import { callStep, deletionStep } from '../call-step.ts';
import type { KeyEntry } from '../document.ts';
import type { AccountState } from '../gateway-state.ts';
import { activeKeys, namedKeys } from '../named-keys.ts';
import type { PlanOptions } from '../plan-options.ts';
import { projectIdIn } from '../project-ids.ts';
import { replacedSecret, secretProblem } from '../referred-secret.ts';
import { changedSettings, settingChanges } from '../setting-changes.ts';
import {
  accountIdOf,
  extraPart,
  joinParts,
  type PartPlan,
  problemPart,
  type SettingChange,
  type PlanStep,
  type StepContext,
  stepPart,
  unchangedPart,
} from '../plan-step.ts';

const settingNames = [...keyChangesSchema.omit({ name: true, projectId: true }).keyof().options, 'project'];
const newKeyNames = [...settingNames, 'admin'];

/** Keys that no user created are recognised by their names. */
export function planKeys(
  { account, entry, state }: AccountPart<Record<string, KeyEntry>>,
  { isProtected, secrets, newProjects }: PlanOptions & { newProjects: readonly string[] },
): PartPlan {
  const projects = [...newProjects, ...(state?.projects ?? []).map(({ name }) => name)];
  const named = namedKeys(state?.keys ?? []);
  const wanted = Object.entries(entry).map(([name, { key: reference, ...key }]) => {
    const text = reference && secrets(reference);
    const actual = named.filter((each) => each.name === name);
    return planKey({ account, state, name, key, text, actual, projects });
  });
  const listed = new Set(named.filter(({ name }) => Object.hasOwn(entry, name)));
  const extra = activeKeys(state?.keys ?? []).filter((key) => !listed.has(key) && !isProtected(key));
  return joinParts([...wanted, ...extra.map((key) => extraPart(revocation(account, key)))]);
}

interface WantedKey {
  account: string;
  name: string;
  key: Omit<KeyEntry, 'key'>;
  /** The secret itself, if the document refers to it. */
  text: string | undefined;
  actual: readonly ApiKey[];
  /** The names of projects that exist or are created before. */
  projects: readonly string[];
  state: AccountState | undefined;
}

function planKey(wanted: WantedKey): PartPlan {
  const { account, name, key, actual, text } = wanted;
  const path = ['accounts', account, 'keys', name];
  const [found, ...others] = actual;
  const problem = secretProblem(keyTextSchema.optional(), text);
  if (problem !== undefined) return problemPart([...path, 'key'], problem);
  if (namesUnknownProject(wanted)) {
    return problemPart([...path, 'project'], 'is not a project of the account; add it to projects');
  }
  if (found === undefined) return stepPart(creation(wanted));
  if (others.length > 0) return problemPart(path, 'is the name of several keys; rename or revoke all but one');
  if ((found.admin ?? false) !== (key.admin ?? false)) {
    return problemPart([...path, 'admin'], 'cannot be changed for an existing key; give the new key another name');
  }
  const changes = settingChanges(settingNames, withProjectName(wanted, found), key);
  const isReplaced = text !== undefined && recognisablePart(text) !== found.prefix;
  const parts = [
    ...(changes.length > 0 ? [stepPart(change(wanted, found, changes))] : []),
    ...(isReplaced ? [stepPart(rotation(wanted, found))] : []),
  ];
  return parts.length === 0 ? unchangedPart : joinParts(parts);
}

const namesUnknownProject = ({ key: { project }, projects }: WantedKey): boolean =>
  project !== undefined && !projects.includes(project);

/** The document names projects, keys have their ids. */
const withProjectName = ({ state }: WantedKey, { projectId, ...key }: ApiKey) => ({
  ...key,
  project: state?.projects.find(({ id }) => id === projectId)?.name,
});

const change = ({ account, state, name }: WantedKey, { id }: ApiKey, changes: readonly SettingChange[]): PlanStep =>
  callStep({ action: 'change', account, subject: subjectOf(name), changes }, 'changeKey', async (context) => {
    const { project, ...settings } = changedSettings(changes);
    const projectId = await projectIdOf(context, { account, state, name: project });
    return { id, ...keyChangesSchema.parse({ ...settings, projectId }) };
  });

/** The previous text keeps working for the usual overlap. */
const rotation = ({ account, name, text }: WantedKey, { id }: ApiKey): PlanStep =>
  callStep(
    { action: 'change', account, subject: subjectOf(name), changes: [replacedSecret('key')] },
    'rotateKey',
    () => ({
      id,
      key: text,
    }),
  );

const creation = ({ account, state, name, key: { project, ...key }, text }: WantedKey): PlanStep => ({
  action: 'create',
  account,
  subject: subjectOf(name),
  changes: settingChanges(newKeyNames, {}, { ...key, project }),
  ...(text === undefined && { returns: 'key' as const }),
  async run(context) {
    const projectId = await projectIdOf(context, { account, state, name: project });
    const input = { name, ...key, key: text, ...(typeof projectId === 'string' && { projectId }) };
    const created = await context.manage('createKey', input, accountIdOf(context, account));
    if (text !== undefined) return undefined;
    return { account, kind: 'key', name, text: created.key };
  },
});

/** A user's key may have the name of another key in the document. */
const revocation = (account: string, { id, name, userId }: ApiKey): PlanStep => {
  const subject = userId === undefined ? subjectOf(name) : `${subjectOf(name)} of ${userId}`;
  return deletionStep({ account, subject }, 'revokeKey', () => ({ id }));
};

const subjectOf = (name: string): string => `key ${JSON.stringify(name)}`;

interface NamedProject extends Pick<WantedKey, 'account' | 'state'> {
  /** `null` takes a key out of its project; absent leaves it there. */
  name: unknown;
}

async function projectIdOf(context: StepContext, { name, ...place }: NamedProject): Promise<string | null | undefined> {
  if (typeof name === 'string') return projectIdIn(context, { ...place, name });
  return name === null ? null : undefined;
}

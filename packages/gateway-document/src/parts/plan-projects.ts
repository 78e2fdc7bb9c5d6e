import type { ProjectMember, ProjectOverview, ProjectRole } from '@tallyport/management';
import type { AccountPart } from '../account-part.ts';
import { callStep, deletionStep } from '../call-step.ts';
import type { ProjectEntry } from '../document.ts';
import { memberNamed, namesMember } from '../named-members.ts';
import { changedSettings, settingChanges } from '../setting-changes.ts';
import {
  emptyPart,
  extraPart,
  joinParts,
  type PartPlan,
  problemPart,
  type PlanStep,
  stepPart,
  unchangedPart,
} from '../plan-step.ts';
import { projectIdIn } from '../project-ids.ts';
import { unlistedParts } from '../unlisted-parts.ts';

const settingNames = ['allowedTiers', 'limits', 'budget', 'endUserBudget'] as const;

/** Projects are recognised by their names. `invited` are people who may become members of the account. */
export function planProjects(
  { account, entry, state }: AccountPart<Record<string, ProjectEntry>>,
  { invited }: { invited: readonly string[] },
): PartPlan {
  const parts = Object.entries(entry).map(([name, { members, ...settings }]) => {
    const place = { account, name, state };
    const found = state?.projects.find((project) => project.name === name);
    return joinParts([
      planProject(place, settings, found),
      members ? planProjectMembers({ ...place, entry: members, found, invited }) : emptyPart,
    ]);
  });
  return joinParts(parts);
}

/** What is not in the document. Deleted after keys, because a project with keys is not deleted. */
export function planOtherProjects({ account, entry, state }: AccountPart<Record<string, ProjectEntry>>): PartPlan {
  return joinParts(unlistedParts({ account, entry, existing: state?.projects ?? [], subjectOf }, 'deleteProject'));
}

type ProjectPlace = Pick<AccountPart<unknown>, 'account' | 'state'> & { name: string };

function planProject(
  place: ProjectPlace,
  settings: Omit<ProjectEntry, 'members'>,
  found: ProjectOverview | undefined,
): PartPlan {
  const { account, name } = place;
  const changes = settingChanges(settingNames, found ?? {}, settings);
  if (found && changes.length === 0) return unchangedPart;
  const step = { account, subject: subjectOf(name), changes };
  return stepPart(
    found
      ? callStep({ ...step, action: 'change' }, 'changeProject', () => ({ id: found.id, ...changedSettings(changes) }))
      : callStep({ ...step, action: 'create' }, 'createProject', () => ({ name, ...settings })),
  );
}

interface WantedMembers extends ProjectPlace {
  entry: Readonly<Record<string, ProjectRole>>;
  found: ProjectOverview | undefined;
  invited: readonly string[];
}

/** People who have not joined the account yet are added by a later run. */
function planProjectMembers({ entry, found, invited, ...place }: WantedMembers): PartPlan {
  const { account, name, state } = place;
  const present = (found && state?.projectMembers.get(found.id)) ?? [];
  const parts = Object.entries(entry).map(([person, role]) => {
    const path = ['accounts', account, 'projects', name, 'members', person];
    const { member, problem } = memberNamed(person, entry, state?.members ?? []);
    if (problem !== undefined) return problemPart(path, problem);
    if (member) {
      const actual = present.find(({ userId }) => userId === member.userId);
      if (actual?.role === role) return unchangedPart;
      return stepPart(memberStep(place, { ...member, role, from: actual?.role }));
    }
    if (invited.includes(person)) return unchangedPart;
    return problemPart(path, 'is not a member of the account; add the person to members');
  });
  const extra = present.filter((member) => !namesMember(entry, member));
  return joinParts([...parts, ...extra.map((member) => extraPart(removal(place, member)))]);
}

interface WantedRole {
  email: string;
  userId: string;
  from: ProjectRole | undefined;
  role: ProjectRole;
}

const memberStep = (place: ProjectPlace, { email, userId, from, role }: WantedRole): PlanStep =>
  callStep(
    {
      action: from === undefined ? 'create' : 'change',
      account: place.account,
      subject: `member ${email} of ${subjectOf(place.name)}`,
      changes: [{ name: 'role', from, to: role }],
    },
    'setProjectMember',
    async (context) => ({ id: await projectIdIn(context, place), userId, role }),
  );

/** Their keys stay, as those of members where the document manages keys: it says which keys there are. */
const removal = (place: ProjectPlace, { userId, email }: ProjectMember): PlanStep =>
  deletionStep(
    { account: place.account, subject: `member ${email} of ${subjectOf(place.name)}` },
    'removeProjectMember',
    async (context) => ({ id: await projectIdIn(context, place), userId, keepKeys: 'true' }),
  );

const subjectOf = (name: string): string => `project ${JSON.stringify(name)}`;

import type { ProjectMember, ProjectOverview } from '@tallyport/management';
import { actionsColumn, day, dollars, heading, type Html, html, meter, table } from '@tallyport/pages';
import { budgetText } from '../screen/budget-text.ts';
import { costCells, costColumns, type GroupCosts } from '../usage/group-costs.ts';

interface ProjectsPage {
  base: string;
  projects: readonly ProjectOverview[];
  /** `undefined` if they cannot be read. */
  costs: GroupCosts | undefined;
  /** Whether the user may create projects, and sees all of the account. */
  isAdmin: boolean;
}

export const projectsPage = ({ base, projects, costs, isAdmin }: ProjectsPage): Html =>
  html`${heading({
    title: 'Projects',
    text: `A project has keys, members, limits and a budget of its own. ${isAdmin ? '' : 'Only projects to which you belong are shown.'}`,
    ...(isAdmin && { action: { href: `${base}/projects/new`, text: 'Create a project' } }),
  })}
  ${table({
    caption: 'Projects',
    columns: [
      'Name',
      'Spent',
      'Starts again',
      ...costColumns,
      { title: 'Keys', kind: 'number' },
      { title: 'Members', kind: 'number' },
    ],
    rows: projects.map((project) => [
      html`<a class="strong" href="${base}/projects/${project.id}">${project.name}</a>`,
      spentPart(project),
      day(project.resetsAt, 'does not'),
      ...costCells({ base, by: 'project', id: project.id }, costs),
      String(project.keys),
      String(project.members),
    ]),
    empty: isAdmin
      ? 'There are no projects. Create one for a team that has a budget of its own.'
      : 'You belong to no project. Ask an admin of the account to add you.',
  })}`;

/** Of its budget in the current period, or of this month. */
function spentPart({ spent, budget }: ProjectOverview): Html {
  if (budget === undefined)
    return html`<span>${dollars(spent)} <span class="quiet">this month, no budget</span></span>`;
  const part = Number(budget.amount) > 0 ? Number(spent) / Number(budget.amount) : 1;
  return html`<div class="spent">
    <span
      ><span class="strong">${dollars(spent)}</span>
      <span class="quiet">of ${budgetText(budget)} (${Math.floor(part * 100)} %)</span></span
    >
    ${meter(part)}
  </div>`;
}

interface ProjectPage {
  base: string;
  project: ProjectOverview;
  members: readonly ProjectMember[];
  usage: Html;
  /** Whether the user manages its members. */
  managesMembers: boolean;
  /** The form of an admin of the account. */
  form: Html | false;
}

export function projectPage({ base, project, members, usage, managesMembers, form }: ProjectPage): Html {
  const href = `${base}/projects/${project.id}`;
  return html`${heading({ title: project.name, back: { href: `${base}/projects`, text: 'Projects' } })} ${usage}
    <dl class="facts panel padded">
      <dt>Spent</dt>
      <dd>${spentPart(project)}</dd>
      <dt>Starts again</dt>
      <dd>${day(project.resetsAt, 'does not')}</dd>
      <dt>Keys</dt>
      <dd><a href="${base}/keys?project=${project.id}">${String(project.keys)} working</a></dd>
    </dl>
    <h2>Members</h2>
    ${table({
      caption: 'Members of the project',
      columns: ['E-mail', 'Role', 'Since', actionsColumn],
      rows: members.map(({ userId, email, role, addedAt }) => [
        html`<span class="strong">${email}</span>`,
        role,
        day(addedAt),
        managesMembers &&
          html`<a class="bad" href="${href}/members/${userId}/remove" aria-label="Remove ${email}">Remove</a>`,
      ]),
      empty: 'The project has no members. Admins of the account can always manage it.',
    })}
    ${managesMembers && html`<p><a class="button plain" href="${href}/members/add">Add a member</a></p>`} ${form}
    ${form && html`<p><a class="button danger" href="${href}/delete">Delete the project</a></p>`}`;
}

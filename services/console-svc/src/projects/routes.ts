import { hasRole } from '@tallyport/management';
import { type FieldSpec, fieldValues, formPart, type FormState, inputOf } from '@tallyport/pages';
import { formPage } from '../screen/form-page.ts';
import { type ConfirmationPrompt, confirmationRoutes, formRoutes } from '../screen/form-routes.ts';
import type { DashboardRequest, DashboardResponse, DashboardRoute } from '../screen/route.ts';
import { projectFields, projectGroups, projectRoleField } from './fields.ts';
import { readGroupCosts } from '../usage/group-costs.ts';
import { usageStrip } from '../usage/usage-strip.ts';
import { projectPage, projectsPage } from './view.ts';

const section = 'projects';
const access = 'admin';

export const projectRoutes: readonly DashboardRoute[] = [
  { method: 'get', path: '/projects', section, answer: showProjects },
  ...formRoutes({ path: '/projects/new', section, access, show: showNewProject, submit: createProject }),
  ...formRoutes({ path: '/projects/:id', section, show: showProject, submit: changeProject }),
  ...confirmationRoutes({ path: '/projects/:id/delete', section, access, ask: askToDelete, act: deleteProject }),
  ...formRoutes({ path: '/projects/:id/members/add', section, show: showNewMember, submit: addMember }),
  ...confirmationRoutes({
    path: '/projects/:id/members/:userId/remove',
    section,
    ask: askToRemove,
    act: removeMember,
  }),
];

async function showProjects({ ask, base, caller }: DashboardRequest): Promise<DashboardResponse> {
  const { projects } = await ask('listProjects');
  const ids = projects.map(({ id }) => id);
  const costs = await readGroupCosts({ ask }, 'project', ids);
  return { title: 'Projects', body: projectsPage({ base, projects, costs, isAdmin: hasRole(caller, 'admin') }) };
}

async function showNewProject(request: DashboardRequest, state: FormState): Promise<DashboardResponse> {
  return formPage(request, state, {
    title: 'Create a project',
    back: { path: '/projects', text: 'Projects' },
    groups: projectGroups,
    button: 'Create the project',
    once: true,
  });
}

async function createProject({ ask, fields }: DashboardRequest): Promise<DashboardResponse> {
  const { id } = await ask('createProject', inputOf(projectFields, fields));
  return { to: `/projects/${id}`, notice: 'project-created' };
}

async function showProject(request: DashboardRequest, state: FormState): Promise<DashboardResponse> {
  const { ask, base, place, caller, params, signedIn } = request;
  const id = params['id'] ?? '';
  const [project, { members }, usage] = await Promise.all([
    ask('readProject', { id }),
    ask('listProjectMembers', { id }),
    usageStrip(request, { project: id }),
  ]);
  const isAdmin = hasRole(caller, 'admin');
  const values = state.problem ? state.values : fieldValues(projectFields, project);
  const form =
    isAdmin &&
    formPart({
      action: place,
      csrfToken: signedIn.csrfToken,
      state: { ...state, values },
      groups: projectGroups,
      button: 'Save',
      cancel: `${base}/projects`,
    });
  const managesMembers = isAdmin || project.role === 'admin';
  return { title: project.name, body: projectPage({ base, project, members, usage, managesMembers, form }) };
}

async function changeProject({ ask, fields, params }: DashboardRequest): Promise<DashboardResponse> {
  const changes = inputOf(projectFields, fields, { emptied: true });
  await ask('changeProject', { ...changes, id: params['id'] });
  return { to: `/projects/${params['id']}`, notice: 'project-changed' };
}

async function askToDelete({ ask, params }: DashboardRequest): Promise<ConfirmationPrompt> {
  const { id, name } = await ask('readProject', { id: params['id'] });
  const text = 'A project with keys is not deleted: revoke or move them first. Its usage stays in the ledger.';
  return { title: `Delete ${name}?`, text, button: 'Delete the project', back: `/projects/${id}` };
}

async function deleteProject({ ask, params }: DashboardRequest): Promise<DashboardResponse> {
  await ask('deleteProject', { id: params['id'] });
  return { to: '/projects', notice: 'project-deleted' };
}

async function memberFields({ ask, params }: DashboardRequest): Promise<readonly FieldSpec[]> {
  const [{ members }, { members: present }] = await Promise.all([
    ask('listMembers'),
    ask('listProjectMembers', { id: params['id'] }),
  ]);
  const inProject = new Set(present.map(({ userId }) => userId));
  const choices = members
    .filter(({ userId }) => !inProject.has(userId))
    .map(({ userId, email }) => ({ value: userId, text: email }));
  return [
    { name: 'userId', label: 'Member of the account', kind: 'choice', required: true, choices },
    projectRoleField,
  ];
}

async function showNewMember(request: DashboardRequest, state: FormState): Promise<DashboardResponse> {
  const { ask, params } = request;
  const { id, name } = await ask('readProject', { id: params['id'] });
  return formPage(request, state, {
    title: `Add a member to ${name}`,
    back: { path: `/projects/${id}`, text: name },
    groups: [{ fields: await memberFields(request) }],
    button: 'Add',
  });
}

async function addMember(request: DashboardRequest): Promise<DashboardResponse> {
  const { ask, params, fields } = request;
  const input = inputOf(await memberFields(request), fields);
  await ask('setProjectMember', { ...input, id: params['id'] });
  return { to: `/projects/${params['id']}`, notice: 'project-member-added' };
}

const keepField: FieldSpec = {
  name: 'keepKeys',
  label: 'Keep the keys they created in the project',
  kind: 'flag',
  hint: 'Otherwise these are revoked.',
};

async function askToRemove({ ask, params }: DashboardRequest): Promise<ConfirmationPrompt> {
  const { members } = await ask('listProjectMembers', { id: params['id'] });
  const email = members.find(({ userId }) => userId === params['userId'])?.email ?? 'the member';
  return {
    title: `Remove ${email} from the project?`,
    text: 'They stay a member of the account.',
    button: 'Remove',
    back: `/projects/${params['id']}`,
    groups: [{ fields: [keepField] }],
  };
}

async function removeMember({ ask, params, fields }: DashboardRequest): Promise<DashboardResponse> {
  const { keepKeys } = inputOf([keepField], fields);
  const input = { id: params['id'], userId: params['userId'], keepKeys: keepKeys === true ? 'true' : 'false' };
  await ask('removeProjectMember', input);
  return { to: `/projects/${params['id']}`, notice: 'member-removed' };
}

import type { Database } from '@tallyport/database';
import { hasRole, projectOperations as operations } from '@tallyport/management';
import { type ApiCaller, type ApiEndpoint, endpoint } from '@tallyport/management-server';
import type { Announce } from '../bus/announce.ts';
import { changeProject } from './change-project.ts';
import { createProject } from './create-project.ts';
import { deleteProject } from './delete-project.ts';
import { listProjects, readProject } from './list-projects.ts';
import { checkProject, type ProjectCaller } from '../keys/project-access.ts';
import { listProjectMembers, removeProjectMember, setProjectMember } from './project-members.ts';

interface ProjectEndpointTools {
  database: Database;
  announce: Pick<Announce, 'accountChanged' | 'keysEnded'>;
}

export const projectEndpoints = (tools: ProjectEndpointTools): ApiEndpoint[] => [
  ...ownEndpoints(tools),
  ...memberEndpoints(tools),
];

const ownEndpoints = ({ database, announce }: ProjectEndpointTools): ApiEndpoint[] => [
  endpoint(operations.listProjects, async (_input, caller) => ({
    projects: await listProjects(database, projectCaller(caller), new Date()),
  })),
  endpoint(operations.createProject, (input, caller) => createProject(database, caller, input)),
  endpoint(operations.readProject, ({ id }, caller) =>
    readProject(database, projectCaller(caller), { id, now: new Date() }),
  ),
  endpoint(operations.changeProject, async ({ id, ...changes }, caller) => {
    const changed = await changeProject(database, caller, { id, changes });
    announce.accountChanged(caller.accountId);
    return changed;
  }),
  endpoint(operations.deleteProject, async ({ id }, caller) => {
    const deleted = await deleteProject(database, caller, id);
    // Keys of workloads may belong to it.
    announce.accountChanged(caller.accountId);
    return deleted;
  }),
];

const memberEndpoints = ({ database, announce }: ProjectEndpointTools): ApiEndpoint[] => [
  endpoint(operations.listProjectMembers, async ({ id }, caller) => {
    await checkProject(database.kysely, projectCaller(caller), { id, role: 'member' });
    return { members: await listProjectMembers(database.kysely, { projectId: id }) };
  }),
  endpoint(operations.setProjectMember, ({ id, userId, role }, caller) =>
    database.kysely.transaction().execute(async (transaction) => {
      await checkProject(transaction, projectCaller(caller), { id, role: 'admin' });
      return setProjectMember(transaction, membershipOf(caller, id, userId), role);
    }),
  ),
  endpoint(operations.removeProjectMember, async ({ id, userId, keepKeys }, caller) => {
    // Everyone may leave, but only an admin decides that the keys stay.
    const role = userId === caller.userId && !keepKeys ? 'member' : 'admin';
    await checkProject(database.kysely, projectCaller(caller), { id, role });
    announce.keysEnded(await removeProjectMember(database, membershipOf(caller, id, userId), { keepKeys }));
    return { removed: true };
  }),
];

const projectCaller = (caller: ApiCaller): ProjectCaller => ({
  accountId: caller.accountId,
  byAdmin: hasRole(caller, 'admin'),
  userId: caller.userId,
});

const membershipOf = ({ accountId, actor }: ApiCaller, projectId: string, userId: string) => ({
  projectId,
  accountId,
  userId,
  actor,
});

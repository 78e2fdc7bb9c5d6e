import type { DashboardRequest } from './route.ts';

/** Reads the names of the projects that the user may see. A deleted one has its id. */
export async function readProjectNames({ ask }: Pick<DashboardRequest, 'ask'>): Promise<(projectId: string) => string> {
  const { projects } = await ask('listProjects');
  const names = new Map(projects.map(({ id, name }) => [id, name]));
  return (projectId) => names.get(projectId) ?? projectId;
}

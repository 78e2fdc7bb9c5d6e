import type { AccountPart } from './account-part.ts';
import { accountIdOf, type StepContext } from './plan-step.ts';

/** The id of a project by its name, also of one that an earlier step has created. */
export async function projectIdIn(
  context: StepContext,
  { account, state, name }: Pick<AccountPart<unknown>, 'account' | 'state'> & { name: string },
): Promise<string> {
  const known = state?.projects.find((project) => project.name === name);
  if (known) return known.id;
  const { projects } = await context.manage('listProjects', {}, accountIdOf(context, account));
  const made = projects.find((project) => project.name === name);
  if (made === undefined)
    throw new Error(`The project ${JSON.stringify(name)} does not exist. Apply the document again.`);
  return made.id;
}

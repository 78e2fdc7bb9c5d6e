import type { ApiKey } from '@tallyport/contracts';
import type { AccountPart } from './account-part.ts';
import { accountIdOf, type StepContext } from './plan-step.ts';
import { workingKeys } from './working-keys.ts';

/** Keys that are not revoked and not of a playground. */
export const activeKeys = (keys: readonly ApiKey[]): ApiKey[] =>
  keys.filter(({ revokedAt, playground }) => revokedAt === undefined && playground === undefined);

/** The keys that a document can name. Members choose the names of their keys, so these do not count. */
export const namedKeys = (keys: readonly ApiKey[]): ApiKey[] =>
  activeKeys(keys).filter(({ userId }) => userId === undefined);

/** The id of a key by its name, also of one that an earlier step has created. */
export async function keyIdIn(
  context: StepContext,
  { account, state, name }: Pick<AccountPart<unknown>, 'account' | 'state'> & { name: string },
): Promise<string> {
  const find = (keys: readonly ApiKey[]) => namedKeys(keys).find((key) => key.name === name)?.id;
  const known = find(state?.keys ?? []);
  if (known !== undefined) return known;
  const { keys } = await context.manage('listKeys', workingKeys, accountIdOf(context, account));
  const made = find(keys);
  if (made === undefined) throw new Error(`The key ${JSON.stringify(name)} does not exist. Apply the document again.`);
  return made;
}

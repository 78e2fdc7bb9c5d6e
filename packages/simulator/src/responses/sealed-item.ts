import { contentHash, isObject, jsonOf } from '@tallyport/sandbox';

/** Whose reasoning or compaction it is: only the account that got it can send it back, under the same id. */
interface Seal {
  readonly vendor: string;
  readonly id: string;
}

const prefix = 'gAAAA';

export const sealItem = ({ vendor, id }: Seal): string =>
  prefix + Buffer.from(JSON.stringify({ vendor, id, check: contentHash(`${vendor}/${id}`) })).toString('base64url');

/** `undefined` for a text that was not sealed here, or was changed. */
export function unsealItem(sealed: string): Seal | undefined {
  if (!sealed.startsWith(prefix)) return undefined;
  const value = jsonOf(Buffer.from(sealed.slice(prefix.length), 'base64url').toString());
  if (!isObject(value)) return undefined;
  const seal = { vendor: String(value.vendor), id: String(value.id) };
  return value.check === contentHash(`${seal.vendor}/${seal.id}`) ? seal : undefined;
}

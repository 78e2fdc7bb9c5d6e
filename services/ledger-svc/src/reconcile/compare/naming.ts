import type { VendorUsage } from '@tallyport/contracts';
import type { BilledLine, CountedUse } from '@tallyport/providers/cost-reports';
import { plainModel } from './model-name.ts';

/** What the caller knows about the vendor's names. */
export interface NameMap {
  /** Their id of a key → our id of the provider key, or empty text for a key of the installation. */
  readonly keys?: Readonly<Record<string, string>> | undefined;
  /** Their name of a model → ours. */
  readonly models?: Readonly<Record<string, string>> | undefined;
}

export interface Naming {
  /** Our name of a model of the report; `undefined` if the gateway never used it in this period. */
  model(theirs: string): string | undefined;
  /** Whether a key of the report is used by the gateway. */
  isOwnKey(theirs: string): boolean;
  /** The key under which both sides are compared. */
  key(theirs: string): string;
  ownKey(ours: string): string;
}

/** Names of the report in ours. Without a map of keys, every key counts as one that the gateway uses. */
export function namesOfVendor({ keys, models = {} }: NameMap, { uses, days }: VendorUsage): Naming {
  const ours = new Map([...uses, ...days].map(({ model }) => [plainModel(model), model]));
  const named = new Set(Object.values(keys ?? {}));
  const knows = (theirs: string): boolean => keys === undefined || Object.hasOwn(keys, theirs);
  return {
    model: (theirs) => (Object.hasOwn(models, theirs) ? models[theirs] : ours.get(plainModel(theirs))),
    isOwnKey: knows,
    key: (theirs) => (keys !== undefined && Object.hasOwn(keys, theirs) ? (keys[theirs] ?? '') : ''),
    ownKey: (own) => (named.has(own) ? own : ''),
  };
}

interface Named<Item> {
  /** In our names. */
  own: Item[];
  /** Of keys or models that the gateway does not use, in the vendor's names. */
  outside: Item[];
}

/** Separates what did not pass the gateway. A line without a model or a key is the gateway's. */
export function withOurNames<Item extends BilledLine | CountedUse>(
  items: readonly Item[],
  naming: Naming,
): Named<Item> {
  const named: Named<Item> = { own: [], outside: [] };
  for (const item of items) {
    const model = item.model === undefined ? undefined : naming.model(item.model);
    const isUnknown = item.model !== undefined && model === undefined;
    if (isUnknown || (item.keyId !== undefined && !naming.isOwnKey(item.keyId))) named.outside.push(item);
    else named.own.push({ ...item, ...(model !== undefined && { model }), keyId: naming.key(item.keyId ?? '') });
  }
  return named;
}

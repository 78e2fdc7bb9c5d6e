import { type Offer, oncePer } from '@tallyport/contracts';
import type { ChatCall } from '../spec/provider.ts';
import type { EffortRules } from './efforts.ts';
import { isMembers, type Members } from '../read.ts';
import type { Refusals } from './refusals.ts';
import type { VendorBody } from './vendor-body.ts';

/** How the members of a request are rewritten, as data. */
export interface RequestRules extends Refusals, EffortRules {
  /** Old name → new name. A member that already has the new name takes precedence. */
  rename?: Readonly<Record<string, string>>;
  /** Hints this vendor ignores or refuses. `thinking.keep` is the member `keep` of `thinking`. */
  drop?: readonly string[];
  /** Numbers and the accepted range; a number outside it becomes the nearest limit. */
  clamp?: Readonly<Record<string, readonly [least: number, most: number]>>;
  /** Values with another name at this vendor: member → value → the vendor's value. */
  respell?: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** Members added to every request. */
  add?: Members;
}

export interface ConditionalRules extends RequestRules {
  /** Matches the vendor's names of the models these rules are for. Defaults to all models. */
  models?: RegExp;
  when?(call: ChatCall, offer: Offer): boolean;
}

/** The rules that apply to a call, the general ones first. */
export type RulesOf = (call: ChatCall, offer: Offer) => readonly RequestRules[];

/** Compares the name of an offer's model once: that costs more than the rest. */
export function createRulesOf({ request = {}, requestWhen = [] }: VendorRules): RulesOf {
  const rulesAt = oncePer((offer: Offer) => requestWhen.filter(({ models }) => models?.test(offer.modelName) ?? true));
  return (call, offer) => {
    const held: RequestRules[] = [request];
    for (const rules of rulesAt(offer)) if (rules.when?.(call, offer) ?? true) held.push(rules);
    return held;
  };
}

interface VendorRules {
  request?: RequestRules;
  requestWhen?: readonly ConditionalRules[];
}

/** Changes the body in place. */
export function applyRules(body: VendorBody, rules: RequestRules): void {
  for (const change of changesOf(rules)) change(body);
}

type Change = (body: VendorBody) => void;

/** Read once, because rules are applied to every request. */
const changesOf = oncePer(readChanges);

function readChanges({ rename = {}, drop = [], clamp = {}, respell = {}, add }: RequestRules): Change[] {
  const [inner, whole] = [drop.filter((path) => path.includes('.')), drop.filter((path) => !path.includes('.'))];
  return [
    ...Object.entries(rename).map(([from, to]) => renaming(from, to)),
    ...(whole.length === 0 ? [] : [leavingOut(new Set(whole))]),
    ...inner.map(leavingOutInner),
    ...Object.entries(clamp).map(([name, range]) => replacing(name, (value) => clamped(value, range))),
    ...Object.entries(respell).map(([name, spellings]) => replacing(name, (value) => respelt(value, spellings))),
    ...(add === undefined ? [] : [adding(add)]),
  ];
}

const renaming =
  (from: string, to: string): Change =>
  (body) => {
    if (!(from in body)) return;
    body[to] ??= body[from];
    delete body[from];
  };

/** Looks at the members of the body: it has fewer than the list. */
const leavingOut =
  (names: ReadonlySet<string>): Change =>
  (body) => {
    for (const name in body) if (names.has(name)) delete body[name];
  };

/** Nested objects belong to the client, so an inner member is removed from a copy. */
function leavingOutInner(path: string): Change {
  const [name = path, inner = ''] = path.split('.', 2);
  return (body) => {
    const value = body[name];
    if (!isMembers(value) || !(inner in value)) return;
    const { [inner]: _left, ...rest } = value;
    body[name] = rest;
  };
}

const replacing =
  (name: string, replacement: (value: unknown) => unknown): Change =>
  (body) => {
    if (name in body) body[name] = replacement(body[name]);
  };

const adding =
  (members: Members): Change =>
  (body) => {
    Object.assign(body, members);
  };

const clamped = (value: unknown, [least, most]: readonly [number, number]): unknown =>
  typeof value === 'number' ? Math.min(Math.max(value, least), most) : value;

const respelt = (value: unknown, spellings: Readonly<Record<string, string>>): unknown =>
  typeof value === 'string' && Object.hasOwn(spellings, value) ? spellings[value] : value;

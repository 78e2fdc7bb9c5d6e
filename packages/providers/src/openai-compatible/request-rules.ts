import type { Offer } from '@switchyard/contracts';
import type { ChatCall } from '../provider.ts';
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

/** The rules that apply to this call, the general ones first. */
export function rulesFor(
  { request = {}, requestWhen = [] }: { request?: RequestRules; requestWhen?: readonly ConditionalRules[] },
  call: ChatCall,
  offer: Offer,
): RequestRules[] {
  const held = requestWhen.filter(
    ({ models, when }) => (models?.test(offer.modelName) ?? true) && (when?.(call, offer) ?? true),
  );
  return [request, ...held];
}

/** Changes the body in place. */
export function applyRules(body: VendorBody, rules: RequestRules): void {
  for (const change of changesOf(rules)) change(body);
}

type Change = (body: VendorBody) => void;

/** The changes of rules that were applied before. */
const knownChanges = new WeakMap<RequestRules, readonly Change[]>();

/** Reads the rules once, because they are applied to every request. */
function changesOf(rules: RequestRules): readonly Change[] {
  const known = knownChanges.get(rules);
  if (known !== undefined) return known;
  const changes = readChanges(rules);
  knownChanges.set(rules, changes);
  return changes;
}

function readChanges({ rename = {}, drop = [], clamp = {}, respell = {}, add }: RequestRules): Change[] {
  return [
    ...Object.entries(rename).map(([from, to]) => renaming(from, to)),
    ...drop.map(leavingOut),
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

/** Nested objects belong to the client, so an inner member is removed from a copy. */
function leavingOut(path: string): Change {
  const [name = path, inner] = path.split('.', 2);
  return (body) => {
    if (!(name in body)) return;
    const value = body[name];
    if (inner === undefined) delete body[name];
    else if (isMembers(value) && inner in value) {
      const { [inner]: _left, ...rest } = value;
      body[name] = rest;
    }
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

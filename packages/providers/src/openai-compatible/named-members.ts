import type { ConditionalRules, Quirks, RequestRules } from './quirks.ts';

/** The members of a request that the rules of a vendor name. */
export function namedMembers({ request = {}, requestWhen = [], allow = [], keepOwn = [] }: Quirks): string[] {
  const all: readonly (RequestRules | ConditionalRules)[] = [request, ...requestWhen];
  return [...allow, ...keepOwn, ...all.flatMap(membersOfRules)];
}

function membersOfRules(rules: RequestRules): string[] {
  const { rename = {}, drop = [], clamp = {}, respell = {}, add = {}, refuse = [], efforts = {}, budget } = rules;
  const effortMembers = efforts === 'offered' ? [] : Object.values(efforts).flatMap((each) => Object.keys(each ?? {}));
  const named = [...Object.entries(rename).flat(), ...drop, ...refuse, ...effortMembers, ...(budget ? [budget] : [])];
  return [...named, ...Object.keys({ ...clamp, ...respell, ...add })].filter((name) => !name.includes('.'));
}

import type { PurseState, PurseStep } from './store.ts';

/** `base`, `h<hour>` and `e<slot>` with their amounts: what a purse consists of, here and in Redis. */
export type Purse = Map<string, number>;

const slotMs = 15_000;

/** The same arithmetic as `redis/purse.ts`; one suite holds them together. */
export function stepPurse(purse: Purse, step: PurseStep, nowMs: number): PurseState {
  const passed = Math.floor(nowMs / slotMs);
  drop(purse, 'e', passed);
  const taken = step.kind === 'reserve' ? reserve(purse, step, nowMs) : { granted: false, slot: 0 };
  if (step.kind === 'settle') settle(purse, step);
  if (step.kind === 'know') know(purse, step);
  return { ...taken, known: purse.has('base'), spent: spentOf(purse), held: sumOf(purse, 'e') };
}

type Step<Kind extends PurseStep['kind']> = Extract<PurseStep, { kind: Kind }>;

function reserve(purse: Purse, { amount, limit, ttlMs }: Step<'reserve'>, nowMs: number) {
  const slot = Math.ceil((nowMs + ttlMs) / slotMs) + 1;
  const granted = purse.has('base') && spentOf(purse) + sumOf(purse, 'e') + amount <= limit;
  if (granted) add(purse, `e${slot}`, amount);
  return { granted, slot };
}

/** What came back by itself is not given back again. */
function settle(purse: Purse, { slot, reserved, spent, hour }: Step<'settle'>): void {
  if (purse.has(`e${slot}`)) add(purse, `e${slot}`, -reserved);
  add(purse, `h${hour}`, spent);
}

function know(purse: Purse, { before, from, hours }: Step<'know'>): void {
  purse.set('base', before);
  drop(purse, 'h', from - 1);
  for (const { hour, amount } of hours) {
    if (amount > (purse.get(`h${hour}`) ?? 0)) purse.set(`h${hour}`, amount);
  }
}

function drop(purse: Purse, kind: 'h' | 'e', upTo: number): void {
  for (const name of purse.keys()) if (name.startsWith(kind) && Number(name.slice(1)) <= upTo) purse.delete(name);
}

const spentOf = (purse: Purse): number => (purse.get('base') ?? 0) + sumOf(purse, 'h');

function sumOf(purse: Purse, kind: 'h' | 'e'): number {
  let sum = 0;
  for (const [name, amount] of purse) if (name.startsWith(kind)) sum += amount;
  return sum;
}

function add(purse: Purse, name: string, amount: number): void {
  const left = (purse.get(name) ?? 0) + amount;
  if (left > 0) purse.set(name, left);
  else purse.delete(name);
}

import type { PurseState, PurseStep } from './store.ts';

/**
 * The members of a purse, here and in Redis. `base`: spent before the current hours; `h<hour>`: spent in an hour;
 * `e<slot>`: reserved until a slot of time ends; `k<slot>:<hold>`: held until then for reservations
 * that name the hold, `w<slot>:<hold>`: reserved by them; `d<id>`: until which slot a settlement is remembered as done;
 * `since`: start of the purse; `counted`: settled since then. After the loss of an earlier purse:
 * `ledger` is what the ledger knew at the start, `seen` and `owed` are what replicas remember of the lost purse,
 * `added` is how much of that the ledger lacked, `recalled` the last hour in which replicas reported it.
 */
export type Purse = Map<string, number>;

const slotMs = 15_000;
/** How long a settlement can be repeated. */
export const rememberedSlots = 240;

/** Applies a step. The same arithmetic as `redis/purse.ts`; a shared suite tests both. */
export function stepPurse(purse: Purse, step: PurseStep, nowMs: number): PurseState {
  const passed = Math.floor(nowMs / slotMs);
  for (const kind of ['e', 'k', 'w'] as const) drop(purse, kind, passed);
  for (const [name, slot] of purse) if (name.startsWith('d') && slot <= passed) purse.delete(name);
  const result = { granted: false, slot: 0, ...apply(purse, step, nowMs) };
  const since = purse.has('base') ? (purse.get('since') ?? nowMs) : 0;
  if (since > 0) purse.set('since', since);
  return { ...result, known: purse.has('base'), spent: spentOf(purse), held: heldIn(purse), since };
}

/** What was granted, by a step that can be refused. */
function apply(purse: Purse, step: PurseStep, nowMs: number): Partial<Pick<PurseState, 'granted' | 'slot'>> {
  switch (step.kind) {
    case 'reserve':
      return reserve(purse, step, nowMs);
    case 'hold':
      return { granted: hold(purse, step, nowMs) };
    case 'settle':
      return { granted: settle(purse, step, Math.floor(nowMs / slotMs)) };
    case 'know':
      know(purse, step);
      return {};
    case 'recall':
      if (purse.has('base')) recall(purse, step);
      return {};
    default:
      return step satisfies never;
  }
}

type Step<Kind extends PurseStep['kind']> = Extract<PurseStep, { kind: Kind }>;

const slotAfter = (nowMs: number, ttlMs: number): number => Math.ceil((nowMs + ttlMs) / slotMs) + 1;

function reserve(purse: Purse, { amount, limit, ttlMs, since = 0, hold: own }: Step<'reserve'>, nowMs: number) {
  const slot = slotAfter(nowMs, ttlMs);
  const beyond = Math.max(0, amount - unusedOf(purse, own));
  const used = spentOf(purse) + sumOf(purse, 'e');
  const fits = used + amount <= limit && (beyond === 0 || spentOf(purse) + heldIn(purse) + beyond <= limit);
  const granted = isSame(purse, since) && purse.has('base') && fits;
  if (granted) add(purse, `e${slot}`, amount);
  if (granted && own !== undefined) add(purse, `w${slot}:${own}`, amount);
  return { granted, slot };
}

function hold(purse: Purse, { id, amount, limit, ttlMs, since = 0 }: Step<'hold'>, nowMs: number): boolean {
  const others = spentOf(purse) + heldIn(purse) - unusedOf(purse, id);
  const fits = others + Math.max(0, amount - sumFor(purse, 'w', id)) <= limit;
  if (!isSame(purse, since) || !purse.has('base') || !fits) return false;
  for (const name of purse.keys()) if (name.startsWith('k') && holdIn(name) === id) purse.delete(name);
  add(purse, `k${slotAfter(nowMs, ttlMs)}:${id}`, amount);
  return true;
}

const heldIn = (purse: Purse): number =>
  [...new Set([...purse.keys()].filter((name) => name.startsWith('k')).map(holdIn))].reduce(
    (sum, id) => sum + unusedOf(purse, id),
    sumOf(purse, 'e'),
  );

/** What is held for further reservations of this hold. */
const unusedOf = (purse: Purse, id: string | undefined): number =>
  id === undefined ? 0 : Math.max(0, sumFor(purse, 'k', id) - sumFor(purse, 'w', id));

function sumFor(purse: Purse, kind: 'k' | 'w', id: string): number {
  let sum = 0;
  for (const [name, amount] of purse) if (name.startsWith(kind) && holdIn(name) === id) sum += amount;
  return sum;
}

const holdIn = (name: string): string => name.slice(name.indexOf(':') + 1);

const isSame = (purse: Purse, since: number): boolean => since === 0 || since === purse.get('since');

/** A reservation that has already expired is not released again. */
function settle(purse: Purse, step: Step<'settle'>, passed: number): boolean {
  const { id, forget = [], slot, reserved, spent, hour, since = 0 } = step;
  if (!isSame(purse, since)) return false;
  if (id === undefined || !purse.has(`d${id}`)) {
    if (purse.has(`e${slot}`)) add(purse, `e${slot}`, -reserved);
    if (step.hold !== undefined) settleWithin(purse, step, step.hold);
    for (const name of [`h${hour}`, 'counted']) add(purse, name, spent);
  }
  if (id !== undefined) purse.set(`d${id}`, passed + rememberedSlots);
  for (const done of forget) purse.delete(`d${done}`);
  return true;
}

function settleWithin(purse: Purse, { slot, reserved, spent }: Step<'settle'>, id: string): void {
  if (purse.has(`w${slot}:${id}`)) add(purse, `w${slot}:${id}`, -reserved);
  const held = [...purse.keys()].find((name) => name.startsWith('k') && holdIn(name) === id);
  if (held !== undefined && spent > 0) add(purse, held, -reserved);
}

function know(purse: Purse, { before, from, hours }: Step<'know'>): void {
  const begins = !purse.has('base');
  purse.set('base', before);
  drop(purse, 'h', from - 1);
  for (const { hour, amount } of hours) {
    if (amount > (purse.get(`h${hour}`) ?? 0)) purse.set(`h${hour}`, amount);
  }
  if ((purse.get('recalled') ?? from) < from) purse.delete('recalled');
  if (!begins) return;
  purse.delete('counted');
  purse.set('ledger', spentOf(purse));
}

function recall(purse: Purse, { seen, owed, hour, held }: Step<'recall'>): void {
  purse.set('seen', Math.max(seen, purse.get('seen') ?? 0));
  add(purse, 'owed', owed);
  const remembered = (purse.get('seen') ?? 0) + (purse.get('owed') ?? 0);
  const lacking = remembered - (purse.get('ledger') ?? 0) - (purse.get('added') ?? 0);
  if (lacking > 0) add(purse, 'added', lacking);
  purse.set('recalled', Math.max(hour, purse.get('recalled') ?? 0));
  for (const { slot, amount } of held) add(purse, `e${slot}`, amount);
}

function drop(purse: Purse, kind: 'h' | 'e' | 'k' | 'w', upTo: number): void {
  for (const name of purse.keys())
    if (name.startsWith(kind) && Number.parseInt(name.slice(1), 10) <= upTo) purse.delete(name);
}

/**
 * What was recalled belongs to hours that are unknown. It is a lower bound and not an addend, because its records may
 * reach the ledger later.
 */
function spentOf(purse: Purse): number {
  const spent = (purse.get('base') ?? 0) + sumOf(purse, 'h');
  if (!purse.has('recalled')) return spent;
  return Math.max(spent, (purse.get('ledger') ?? 0) + (purse.get('added') ?? 0) + (purse.get('counted') ?? 0));
}

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

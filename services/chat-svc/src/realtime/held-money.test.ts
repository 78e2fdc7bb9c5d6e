import { GatewayError } from '@tallyport/contracts';
import { nothingUsed, type RequestReservation, type Settlement } from '@tallyport/serving/metering';
import { expect, test } from 'vitest';
import { HeldMoney } from './held-money.ts';

/** Reservations that are made one after the other. */
function openPurse() {
  const held = new Set<object>();
  const counts: number[] = [];
  const settled: Settlement[] = [];
  let asked = 0;
  let isFull = false;
  let gate: Promise<void> | undefined;
  let writing: Promise<void> | undefined;

  async function reserve(): Promise<RequestReservation | { headers: Record<string, string>; error: GatewayError }> {
    asked += 1;
    await gate;
    if (isFull) return { headers: {}, error: new GatewayError('budget_exceeded', 'The budget is used up.') };
    const settle = (settlement: Settlement): void => {
      held.delete(reservation);
      counts.push(held.size);
      settled.push(settlement);
    };
    const recorded = () => writing ?? Promise.resolve();
    const reservation = { headers: {}, settle, recorded, cost: () => undefined, saved: () => undefined };
    held.add(reservation);
    return reservation;
  }
  return {
    reserve,
    settled,
    /** How many were held after each settlement. */
    counts,
    held: () => held.size,
    asked: () => asked,
    fill: () => (isFull = true),
    wait: (until: Promise<void>) => void (gate = until),
    write: (until: Promise<void>) => void (writing = until),
  };
}

test('what is held is held again before it ends, and never less', async () => {
  const purse = openPurse();
  const money = new HeldMoney(purse.reserve, 5);
  await money.ensure(2);
  await expect.poll(() => purse.counts.length).toBeGreaterThan(6);
  expect(new Set(purse.counts)).toEqual(new Set([3]));
  money.release();
  await expect.poll(purse.held).toBe(0);
  expect(new Set(purse.settled)).toEqual(new Set([nothingUsed]));
});

test('what a budget does not allow again stays held until it ends by itself', async () => {
  const purse = openPurse();
  const money = new HeldMoney(purse.reserve, 5);
  await money.ensure(1);
  purse.fill();
  const before = purse.asked();
  await expect.poll(purse.asked).toBeGreaterThan(before + 2);
  expect([purse.held(), await money.ensure(1)]).toEqual([2, undefined]);
  money.release();
  expect(purse.held()).toBe(0);
});

test('what was settled is recorded once its record and those before are written', async () => {
  const purse = openPurse();
  const money = new HeldMoney(purse.reserve);
  await money.ensure(1);
  expect(money.recorded()).toBeUndefined();
  const written = Promise.withResolvers<void>();
  purse.write(written.promise);
  money.take().settle(nothingUsed);
  let isRecorded = false;
  const recorded = money.recorded()?.then(() => (isRecorded = true));
  await money.ensure(1);
  expect(isRecorded).toBe(false);
  written.resolve();
  await recorded;
  await expect.poll(() => money.recorded()).toBeUndefined();
  money.release();
});

test('what nothing was held for is paid before more is begun', async () => {
  const purse = openPurse();
  const money = new HeldMoney(purse.reserve);
  await money.ensure(1);
  const [asked, unasked, last] = [7, 8, 9].map((limitTokens) => ({ ...nothingUsed, limitTokens }));
  if (asked === undefined || unasked === undefined || last === undefined) throw new Error('There are three.');
  money.take().settle(asked);
  money.take().settle(unasked);
  expect([purse.settled, money.lacks(0)]).toEqual([[asked], true]);
  expect(await money.ensure(0)).toBeUndefined();
  expect([purse.settled, purse.held(), money.lacks(0)]).toEqual([[asked, unasked], 1, false]);
  money.take().settle(last);
  purse.fill();
  expect(await money.ensure(0)).toMatchObject({ code: 'budget_exceeded' });
  money.release();
  expect([purse.settled, purse.held()]).toEqual([[asked, unasked, last], 0]);
});

test('a session that ends while it is held again gives back both', async () => {
  const purse = openPurse();
  const money = new HeldMoney(purse.reserve, 5);
  await money.ensure(0);
  const gate = Promise.withResolvers<void>();
  purse.wait(gate.promise);
  const before = purse.asked();
  await expect.poll(purse.asked).toBeGreaterThan(before);
  money.release();
  expect(purse.held()).toBe(0);
  gate.resolve();
  await expect.poll(() => purse.settled.length).toBe(purse.asked());
  expect(purse.held()).toBe(0);
});

import { catalogueOf, modelOf, offerOf } from '@tallyport/contracts/testing';
import { callInOrder } from '../attempts/call-in-order.ts';
import { indexCatalogue } from '../plan/model-index.ts';
import { ailment } from '../plan/order.ts';
import { type Plan, planChat } from '../plan/plan.ts';
import { defaultRouting } from '../settings.ts';
import type { Verdict } from '../standing/breakers.ts';
import { createStandings, type Standings } from '../standing/standings.ts';
import { startVirtualClock } from './virtual-clock.ts';

/** A requested provider that was healthy and now fails one of so many requests, as docs/routing.md shows it. */
interface FailingShare {
  /** At equal distances; `Infinity` for a single failure. */
  oneOf: number;
  perMinute: number;
  /** The other offer gets no requests, instead of answering as many. */
  otherIsUntried?: boolean;
}

/** The rule that moves prefixed requests away, and the failures until then. */
interface Departure {
  rule: NonNullable<ReturnType<typeof ailment>>;
  failures: number;
}

const healthyMinutes = 10;
const failingMinutes = 30;
const requested = offerOf('openai');
const other = offerOf('azure');
const index = indexCatalogue(catalogueOf(modelOf('model', [requested, other])));

/** When prefixed requests move, by the real plan, breakers and health in virtual time; `undefined` if not in half an hour. */
export async function departureOf(share: FailingShare): Promise<Departure | undefined> {
  const { oneOf, perMinute, otherIsUntried = false } = share;
  const clock = startVirtualClock();
  const standings = createStandings({ settings: defaultRouting, monotonic: clock.now, wallClock: clock.now });
  const healthy = healthyMinutes * perMinute;
  let failures = 0;
  try {
    for (let request = 1; request <= healthy + failingMinutes * perMinute; request += 1) {
      await clock.advanceTo((request * 60_000) / perMinute);
      const plan = planned(standings);
      const rule = ailment(standings.of(requested), defaultRouting);
      if (rule !== undefined && plan.candidates.some(({ offer }) => offer === other)) return { rule, failures };
      const fails = oneOf === Infinity ? request === healthy + 1 : request > healthy && request % oneOf === 0;
      await callInOrder(standings, plan, { call: () => answer(standings, fails), areOver: () => true });
      if (!otherIsUntried) standings.answered(other, undefined);
      if (fails) failures += 1;
    }
    return undefined;
  } finally {
    standings.close();
    clock.close();
  }
}

function planned({ of: standing }: Standings): Plan {
  const ground = { index, obstacle: () => undefined, standing, settings: defaultRouting };
  const question = { model: 'openai/model', needs: [], fallback: undefined };
  return planChat(question, { ...ground, maxAttempts: 3, random: 1, now: 0 });
}

async function answer(standings: Standings, fails: boolean): Promise<Verdict> {
  if (!fails) standings.answered(requested, undefined);
  else standings.failed(requested, { type: 'provider_server_error' });
  return fails ? 'failed' : 'succeeded';
}

import type { AccountPart } from '../account-part.ts';
import type { ProviderKeyEntry } from '../document.ts';
import { accountIdOf, emptyPart, joinParts, type PartPlan, problemPart, stepPart } from '../plan-step.ts';

type Part = AccountPart<Record<string, ProviderKeyEntry>>;

/** Keys with a position come first among the keys of their provider, in the order of their positions. */
export function planProviderKeyOrder({ entry, ...place }: Part): PartPlan {
  const placed = Object.entries(entry).flatMap(([label, { provider, position }]) =>
    position === undefined ? [] : [{ label, provider, position }],
  );
  const providers = Map.groupBy(placed, ({ provider }) => provider);
  return joinParts([...providers].map(([provider, keys]) => planOrder({ ...place, provider, keys })));
}

interface WantedOrder extends Pick<Part, 'account' | 'state'> {
  provider: string;
  keys: readonly { label: string; position: number }[];
}

function planOrder({ account, state, provider, keys }: WantedOrder): PartPlan {
  const inOrder = keys.toSorted((left, right) => left.position - right.position);
  const same = inOrder.find(({ position }, at) => position === inOrder[at - 1]?.position);
  if (same !== undefined) {
    const path = ['accounts', account, 'providerKeys', same.label, 'position'];
    return problemPart(path, `is also the position of another key of ${provider}`);
  }
  const wanted = inOrder.map(({ label }) => label);
  const actual = (state?.providerKeys ?? [])
    .filter((key) => key.provider === provider)
    .toSorted((left, right) => left.position - right.position)
    .map(({ label }) => label);
  if (wanted.every((label, at) => label === actual[at])) return emptyPart;
  return stepPart({
    action: 'change',
    account,
    subject: `order of the provider keys of ${provider}`,
    changes: [{ name: 'first', from: actual.slice(0, wanted.length), to: wanted }],
    async run(context) {
      const { manage } = context;
      const accountId = accountIdOf(context, account);
      const { providerKeys } = await manage('listProviderKeys', {}, accountId);
      const ids = new Map(providerKeys.filter((key) => key.provider === provider).map(({ label, id }) => [label, id]));
      for (const [at, label] of wanted.entries()) {
        const id = ids.get(label);
        if (id !== undefined) await manage('changeProviderKey', { id, position: at + 1 }, accountId);
      }
      return undefined;
    },
  });
}

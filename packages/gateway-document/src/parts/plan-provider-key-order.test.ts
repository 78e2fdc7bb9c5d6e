import type { ProviderKeyRecord } from '@tallyport/management';
import { expect, test } from 'vitest';
import { describeStep } from '../describe-changes.ts';
import { emptyAccount, testedAt } from '../testing/account-state.ts';
import { planProviderKeyOrder } from './plan-provider-key-order.ts';

const wish = (position?: number, provider = 'openai') => ({
  provider,
  key: { fromEnv: 'KEY' },
  enabled: true,
  ...(position !== undefined && { position }),
});

const keyOf = (label: string, position: number, provider = 'openai'): ProviderKeyRecord => ({
  id: `provider_key_${label}`,
  provider,
  label,
  position,
  lastFour: '4711',
  enabled: true,
  state: 'enabled',
  createdAt: testedAt,
  updatedAt: testedAt,
});

function plan(entry: Record<string, ReturnType<typeof wish>>, providerKeys: ProviderKeyRecord[] = []) {
  const { steps, problems } = planProviderKeyOrder({
    account: 'Search',
    entry,
    state: { ...emptyAccount, providerKeys },
  });
  return { steps: steps.map(describeStep), problems };
}

test('keys without positions are not ordered', () => {
  expect(plan({ one: wish(), two: wish() }, [keyOf('two', 1), keyOf('one', 2)])).toEqual({ steps: [], problems: [] });
});

test('keys with positions come first, whichever others there are', () => {
  const entry = { one: wish(1), two: wish(2), other: wish(1, 'groq') };
  const existing = [keyOf('by hand', 1), keyOf('two', 2), keyOf('one', 3), keyOf('other', 1, 'groq')];
  expect(plan(entry, existing)).toEqual({
    steps: ['change  order of the provider keys of openai: first ["by hand","two"] → ["one","two"]'],
    problems: [],
  });
  const ordered = [keyOf('one', 1), keyOf('two', 2), keyOf('by hand', 3), keyOf('other', 1, 'groq')];
  expect(plan(entry, ordered)).toEqual({ steps: [], problems: [] });
});

test('gaps between positions do not matter, the same position twice is a problem', () => {
  expect(plan({ one: wish(10), two: wish(20) }, [keyOf('one', 1), keyOf('two', 2)]).steps).toEqual([]);
  expect(plan({ one: wish(1), two: wish(1) }).problems).toEqual([
    {
      path: ['accounts', 'Search', 'providerKeys', 'two', 'position'],
      message: 'is also the position of another key of openai',
    },
  ]);
});

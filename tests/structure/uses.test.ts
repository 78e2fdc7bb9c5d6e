import { endpoints, services, uses } from '@tallyport/contracts';
import { expect, test } from 'vitest';
import { usesInSources } from './uses.ts';

test.each(Object.keys(uses) as (keyof typeof uses)[])('%s uses what uses.ts says', (name) => {
  const use = uses[name];
  const own = 'serves' in use ? use.serves : undefined;
  const listed = [use.sends, use.hears].flatMap((operations) =>
    Object.entries(operations).flatMap(([service, names]) =>
      (names as readonly string[]).map((operation) => `${service}.${operation}`),
    ),
  );
  const relayed = name === 'edge' ? endpoints.map(({ service, exchange }) => `${service}.${exchange}`) : [];
  // Its own calls and exchanges need no entry: commands use them.
  const found = usesInSources(name).filter((operation) => !isAnswered(operation, own));
  expect([...new Set([...found, ...relayed])].toSorted()).toEqual([...new Set(listed)].toSorted());
});

function isAnswered(used: string, own: string | undefined): boolean {
  const [service, operation = ''] = used.split('.');
  const operations: Readonly<Record<string, { kind: string }>> =
    services.find(({ name }) => name === service && name === own)?.operations ?? {};
  return ['call', 'exchange'].includes(operations[operation]?.kind ?? '');
}

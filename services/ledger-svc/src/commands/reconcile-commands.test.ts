import { GatewayError, type Reconciliation, reconciliationSchema } from '@tallyport/contracts';
import { expect, test } from 'vitest';
import { reconcileCommand } from './reconcile-commands.ts';

const map = '{"columns":{"day":"day","amount":"amount","model":"model","class":"class","key":"key"}}';
const wordsTo = (to: string): string[] => [
  '--installation',
  '--from',
  '2026-11-01',
  '--to',
  to,
  '--vendor',
  'aws',
  '--csv',
  'bill.csv',
  '--map',
  'map.json',
];

/** Compares a bill with a ledger that has no usage. */
const run = (
  rows: readonly string[],
  keepReconciliation: (kept: { result: Reconciliation }) => Promise<{ id: string }>,
) =>
  reconcileCommand(wordsTo('2026-11-30'))?.(
    { usageOfVendor: async () => ({ uses: [], days: [] }), keepReconciliation },
    {
      readFile: async (path) => (path === 'map.json' ? map : ['day,amount,model,class,key', ...rows].join('\n')),
      adminKey: () => Promise.reject(new Error('A CSV needs no key.')),
      baseUrl: () => undefined,
    },
  );

test('prints a comparison that cannot be stored, and fails', async () => {
  const away = new GatewayError('unavailable', 'The ledger is not available. Try again later.');
  expect(await run(['2026-11-02,1.5,a,input,k'], () => Promise.reject(away))).toEqual({
    text: expect.stringMatching(/^aws, 2026-11-01 to 2026-11-30 \(UTC\): differs\n.*\$1\.5/s),
    exitCode: 2,
    failures: [
      new Error('The comparison with aws is not stored: The ledger is not available. Try again later.', {
        cause: away,
      }),
    ],
  });
});

test('stores the rows that differ most, as many as one message has room for', async () => {
  const stored: Reconciliation[] = [];
  const rows = Array.from({ length: 120 }, (_, at) => `2026-11-02,${at + 1},${name(at)},${name(at)},${name(at)}`);
  const output = await run(rows, async ({ result }) => {
    stored.push(reconciliationSchema.parse(result));
    return { id: 'one' };
  });
  expect(output).toMatchObject({ exitCode: 1 });
  const [{ rows: kept } = { rows: [] }] = stored;
  expect(Buffer.byteLength(JSON.stringify(stored[0]))).toBeLessThan(64 * 1024);
  expect(kept.length).toBeGreaterThan(20);
  expect(kept.map(({ model }) => model)).toEqual(Array.from({ length: 120 }, (_, at) => name(at)).slice(-kept.length));
});

/** As long as a name may be, in the order of numbers. */
const name = (at: number): string => `${at + 100}${'n'.repeat(497)}`;

test('refuses days that no month has', () => {
  expect(reconcileCommand(wordsTo('2026-11-30'))).toBeDefined();
  expect(reconcileCommand(wordsTo('2026-11-31'))).toBeUndefined();
});

import { parsedWords } from '@tallyport/service-kit';
import type { LedgerCommandClient } from '../control/ledger-socket.ts';

export const demoDataUsage = `Usage:
  npm run demo-data             fill the first account with 30 days of invented traffic, or a new account, "Demo",
                                if the first one has usage of its own
  npm run demo-data -- remove   remove it again, with its keys and members

Options:
  --seed 7                      other numbers; the same seed gives the same traffic
`;

type DemoClient = Pick<LedgerCommandClient, 'addDemoDay' | 'prepareDemo' | 'removeDemo'>;

/** Runs a command and resolves with its output. */
type DemoDataCommand = (tool: DemoClient) => Promise<string>;

const options = { seed: { type: 'string', default: '1' } } as const;
const days = 30;

/** Parses the arguments; `undefined` if they are invalid. */
export function demoDataCommand(words: readonly string[]): DemoDataCommand | undefined {
  const { values, positionals } = parsedWords(words, { options, allowPositionals: true }) ?? {};
  if (values === undefined || positionals === undefined || !/^\d{1,9}$/.test(values.seed)) return undefined;
  const [verb, ...rest] = positionals;
  if (verb === undefined) return fill(Number(values.seed));
  return verb === 'remove' && rest.length === 0 && words.length === 1 ? remove : undefined;
}

/** Day by day, so that a gateway that is in use answers its other requests in between. */
const fill =
  (seed: number): DemoDataCommand =>
  async ({ prepareDemo, addDemoDay }) => {
    const { accountId } = await prepareDemo({});
    let total = 0;
    for (let daysAgo = days - 1; daysAgo >= 0; daysAgo--) {
      const { requests } = await addDemoDay({ accountId, seed, daysAgo });
      total += requests;
    }
    return (
      `${total} requests of the last ${days} days, with their keys and members: open /dashboard/${accountId}\n` +
      'They also count in the history of providers. Remove all of it: npm run demo-data -- remove\n'
    );
  };

const remove: DemoDataCommand = async ({ removeDemo }) => {
  const { requests } = await removeDemo({});
  return requests === 0 ? 'There was no demo data.\n' : `Removed ${requests} requests, their keys and members.\n`;
};

import { costReports } from '@tallyport/providers/cost-reports';
import { type CommandOutput, parsedWords } from '@tallyport/service-kit';
import type { LedgerCommandClient } from '../control/ledger-socket.ts';
import { type Bill, compareVendor, resultToKeep } from '../reconcile/compare-vendor.ts';
import { readMap } from '../reconcile/read-map.ts';
import { isDay } from '../usage/days.ts';
import { resultText, type VendorResult } from './reconcile-text.ts';

export const reconcileUsage = `Usage:
  npm run reconcile -- --installation --from 2026-11-01 --to 2026-11-30 --vendor ${[...costReports.keys()].join(',')}
  npm run reconcile -- --account ID --from 2026-11-01 --to 2026-11-30 --vendor PROVIDER --csv FILE --map FILE

Compares what the ledger recorded with what vendors billed, by day (UTC), model, class and key.
Vendors' reports need an admin key: OPENAI_ADMIN_KEY and the like in the environment of this command, or it asks.

Options:
  --installation      usage of the installation's provider keys
  --account ID        usage that an account paid itself, with its own provider keys
  --csv FILE          the bill as CSV, for vendors without a report
  --map FILE          names of columns, keys and models, as JSON (docs/reconcile.md)
  --tolerance 0.1     the difference in per cent up to which both count as equal
  --json              the whole result as JSON

Exit codes: 0 equal, 1 different, 2 failed.
`;

export const failureCode = 2;

/** What the command works with besides the ledger. */
interface ReconcileTools {
  readFile(path: string): Promise<string>;
  /** The admin key of a vendor, for this run. */
  adminKey(vendor: { keyVariable: string; name: string; keyName: string }): Promise<string>;
  /** The configured address of a vendor. */
  baseUrl(keyVariable: string): string | undefined;
}

type ReconcileClient = Pick<LedgerCommandClient, 'keepReconciliation' | 'usageOfVendor'>;
type ReconcileCommand = (ledger: ReconcileClient, tools: ReconcileTools) => Promise<CommandOutput>;

const options = {
  account: { type: 'string' },
  installation: { type: 'boolean' },
  from: { type: 'string' },
  to: { type: 'string' },
  vendor: { type: 'string' },
  csv: { type: 'string' },
  map: { type: 'string' },
  tolerance: { type: 'string', default: '0.1' },
  json: { type: 'boolean' },
} as const;

/** Parses the arguments; `undefined` if they are invalid. */
export function reconcileCommand(words: readonly string[]): ReconcileCommand | undefined {
  const values = parsedWords(words, { options })?.values;
  const vendors = values && readVendors(values);
  const run = values && readRun(values);
  if (values === undefined || vendors === undefined || run === undefined) return undefined;
  return async (ledger, tools) => {
    const results: VendorResult[] = [];
    const failures: Error[] = [];
    for (const vendor of vendors) {
      const result = await compare({ ...run, vendor }, ledger, tools);
      results.push(result);
      await keep(run, result, ledger).catch((cause: unknown) => failures.push(notStored(vendor, cause)));
    }
    const text = values.json ? `${JSON.stringify({ results }, undefined, 2)}\n` : results.map(resultText).join('\n');
    const exitCode = results.every(({ equal }) => equal) ? 0 : 1;
    return failures.length > 0 ? { text, exitCode: failureCode, failures } : { text, exitCode };
  };
}

type Values = NonNullable<ReturnType<typeof parsedWords<{ options: typeof options }>>>['values'];

/** Vendors with a report, or one whose bill is a CSV with a map. */
function readVendors({ vendor = '', csv, map }: Values): readonly string[] | undefined {
  const vendors = [...new Set(vendor.split(',').filter((id) => id !== ''))];
  if (csv === undefined) return vendors.length > 0 && vendors.every((id) => costReports.has(id)) ? vendors : undefined;
  return vendors.length === 1 && map !== undefined ? vendors : undefined;
}

function readRun(values: Values): Omit<VendorRun, 'vendor'> | undefined {
  const { account: accountId, installation = false, from = '', to = '', csv, map, tolerance } = values;
  if ((accountId === undefined) !== installation || !isDay(from) || !isDay(to) || from > to) return undefined;
  if (!/^\d{1,3}(\.\d{1,6})?$/.test(tolerance)) return undefined;
  return { accountId, period: { from, to }, csv, map, mostRatio: Number(tolerance) / 100 };
}

interface VendorRun {
  vendor: string;
  accountId: string | undefined;
  period: { from: string; to: string };
  csv: string | undefined;
  map: string | undefined;
  mostRatio: number;
}

async function compare(run: VendorRun, ledger: ReconcileClient, tools: ReconcileTools): Promise<VendorResult> {
  const { vendor, period, accountId, mostRatio } = run;
  const map = run.map === undefined ? {} : readMap(await tools.readFile(run.map));
  const bill = await findBill(run, tools);
  const result = await compareVendor({ vendor, period, accountId, map, bill }, ledger.usageOfVendor);
  return { ...result, equal: result.ratio <= mostRatio };
}

async function keep({ accountId }: Pick<VendorRun, 'accountId'>, result: VendorResult, ledger: ReconcileClient) {
  const { equal: _, ...kept } = result;
  await ledger.keepReconciliation({ accountId, result: resultToKeep(kept) });
}

/** The comparison is printed nevertheless. */
const notStored = (vendor: string, cause: unknown): Error =>
  new Error(`The comparison with ${vendor} is not stored: ${cause instanceof Error ? cause.message : String(cause)}`, {
    cause,
  });

async function findBill({ vendor, csv }: VendorRun, tools: ReconcileTools): Promise<Bill> {
  if (csv !== undefined) return { kind: 'csv', text: await tools.readFile(csv) };
  const report = costReports.get(vendor);
  if (report === undefined) throw new TypeError(`${vendor} was checked to have a report.`);
  const adminKey = await tools.adminKey(report);
  return { kind: 'report', report, adminKey, baseUrl: tools.baseUrl(report.keyVariable) };
}

import type { ExchangeHandler, Handlers } from '@tallyport/bus';
import type {
  BudgetQuery,
  KeptContent,
  ledgerService,
  ProviderUptimesQuery,
  RecalculationQuery,
  Reconciliation,
  VendorUsageQuery,
} from '@tallyport/contracts';
import type { Database } from '@tallyport/database';
import { answerOwn, aside, type Manage, type WhenReady } from '@tallyport/management-server';
import type { OpenedContents } from './contents/open-contents.ts';
import { addDemoDay, type DemoDay } from './demo-data/add-demo-day.ts';
import { prepareDemo } from './demo-data/prepare-demo.ts';
import { removeDemo } from './demo-data/remove-demo.ts';
import { readUptimes } from './provider-history/read-uptimes.ts';
import { keepReconciliation } from './reconcile/keep-reconciliation.ts';
import { readVendorUsage } from './reconcile/read-vendor-usage.ts';
import { createPriceLists } from './recalculation/price-lists.ts';
import { recalculate } from './recalculation/recalculate.ts';
import { budgetsSpent } from './usage/budgets-spent.ts';
import type { Ledger } from './usage/keep-ledger.ts';
import { missingUsage, type UsageName } from './usage/missing-usage.ts';
import { ownUsage } from './usage/own-usage.ts';

interface LedgerHandlerTools {
  database: Database;
  ledger: Pick<Ledger, 'write'>;
  contents: Pick<OpenedContents, 'store'>;
  whenReady: WhenReady;
  /** The management API for services with pages. */
  manage: Manage;
  /** Answers HTTP requests; reports an absent database itself. */
  serveHttp: ExchangeHandler;
}

/** The bus operations of ledger-svc. They throw `unavailable` until the database is prepared. */
export function ledgerHandlers(tools: LedgerHandlerTools): Handlers<typeof ledgerService.operations> {
  const { database, ledger, contents, whenReady } = tools;
  const reading = aside(database);
  const recalculation = { database: reading, priceLists: createPriceLists(reading) };
  return {
    serve: tools.serveHttp,
    manage: whenReady(tools.manage),
    ownUsage: answerOwn(whenReady((principal) => ownUsage(database, principal, new Date()))),
    budgetsSpent: whenReady(async ({ asked }: { asked: BudgetQuery[] }) => ({
      spent: await budgetsSpent(database, asked),
    })),
    missingUsage: whenReady(async ({ records }: { records: UsageName[] }) => ({
      ids: await missingUsage(database, records),
    })),
    keepContents: whenReady(async ({ contents: kept }: { contents: KeptContent[] }) => {
      await contents.store(kept);
      return {};
    }),
    providerUptimes: whenReady((query: ProviderUptimesQuery) => readUptimes(database, query)),
    recalculate: whenReady((query: RecalculationQuery) => recalculate(recalculation, query)),
    prepareDemo: whenReady(() => prepareDemo(database)),
    addDemoDay: whenReady((day: DemoDay) => addDemoDay({ database, ledger, now: new Date() }, day)),
    usageOfVendor: whenReady((query: VendorUsageQuery) => readVendorUsage(reading, query)),
    keepReconciliation: whenReady((kept: { accountId?: string | undefined; result: Reconciliation }) =>
      keepReconciliation(database, kept),
    ),
    removeDemo: whenReady(() => removeDemo(database)),
  };
}

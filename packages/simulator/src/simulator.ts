import {
  type Family,
  sandboxFamilies,
  type SimulationOptions,
  type Simulator,
  startSimulation,
} from '@tallyport/sandbox';
import { anthropicRoutes } from './anthropic/routes.ts';
import { basePathOf } from './bases.ts';
import { batchFamilies } from './batches/batch-families.ts';
import { createBatchDesk, type SimulatedBatches } from './batches/batch-desk.ts';
import { type BillLine, createVendorBill, type VendorBill } from './bill/bill.ts';
import { totalDollars } from './bill/items.ts';
import type { PriceTable } from './bill/price-table.ts';
import { bedrockRoutes } from './bedrock/routes.ts';
import type { AwsCredentials } from './bedrock/signature.ts';
import { compatibleRoutes } from './compatible/routes.ts';
import { decisionRoutes } from './decisions/routes.ts';
import { embeddingRoutes } from './embeddings/routes.ts';
import { googleRoutes } from './google/routes.ts';
import { imageRoutes } from './images/routes.ts';
import { openAiVendorRoutes } from './openai/openai.ts';
import { createRealtime, type RealtimeVendor } from './realtime/realtime.ts';
import { anthropicReportRoutes } from './reports/anthropic-reports.ts';
import { openAiReportRoutes } from './reports/openai-reports.ts';
import { openRouterReportRoutes } from './reports/openrouter-reports.ts';
import { rerankRoutes } from './rerank/routes.ts';
import type { ReportLines } from './reports/report-lines.ts';
import { responsesRoutes } from './responses/routes.ts';

export interface SimulatorOptions extends SimulationOptions {
  /** With credentials, AWS signatures are fully verified; without them, only their form is checked. */
  awsCredentials?: AwsCredentials;
  /** Price lists by vendor, which take precedence over the published ones. */
  prices?: Readonly<Record<string, PriceTable>>;
  /** What the vendors' reports say instead of their bill. */
  reported?: (bill: readonly BillLine[]) => readonly BillLine[];
}

/** The simulated vendors, and what they bill. */
export interface SimulatedVendors extends Simulator {
  readonly batches: SimulatedBatches;
  readonly bill: VendorBill;
  readonly realtime: RealtimeVendor;
}

/** Starts the simulated vendors and the sandbox providers on one port. Rejects if the port is not available. */
export async function startSimulator(given: SimulatorOptions = {}): Promise<SimulatedVendors> {
  const { awsCredentials, prices = {}, reported = (lines) => lines, ...options } = given;
  const { serve, ...bill } = createVendorBill({ prices });
  const linesOf: ReportLines = (vendor) => reported(bill.lines()).filter((line) => line.vendor === vendor);
  const batches = createBatchDesk((received) => {
    serve(received);
    return totalDollars(bill.itemsOf(received));
  });
  const vendors: Family[] = [
    anthropicRoutes,
    bedrockRoutes(awsCredentials),
    compatibleRoutes,
    decisionRoutes,
    embeddingRoutes,
    googleRoutes,
    imageRoutes,
    openAiVendorRoutes,
    rerankRoutes,
    responsesRoutes,
    ...sandboxFamilies,
    () => openAiReportRoutes(linesOf),
    () => anthropicReportRoutes(linesOf),
    () => openRouterReportRoutes(linesOf),
  ];
  const families: Family[] = [
    ...vendors,
    (settings) => {
      batches.routes = vendors.flatMap((routesOf) => routesOf(settings));
      return batchFamilies.flatMap((routesOf) => routesOf(batches, settings));
    },
  ];
  const realtime = createRealtime(options);
  const simulator = await startSimulation({ families, basePathOf, sockets: realtime, onEnded: serve }, options);
  return Object.assign(simulator, { batches, bill, realtime });
}

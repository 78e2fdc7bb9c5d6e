import { anthropicCostReport } from './anthropic/cost-report.ts';
import type { CostReport } from './cost-reports/cost-report.ts';
import { openaiCostReport } from './openai/cost-report.ts';
import { openrouterCostReport } from './openrouter/cost-report.ts';

export { configuredBase } from './configured-base.ts';
export { billedClassOf } from './cost-reports/billed-class.ts';
export * from './cost-reports/cost-report.ts';
export { digitsOf } from './cost-reports/read-report.ts';

/** Every vendor whose bill can be read, in alphabetical order. */
const registry: readonly CostReport[] = [anthropicCostReport, openaiCostReport, openrouterCostReport];

/** By the id of the provider. This entry of the package loads no chats. */
export const costReports: ReadonlyMap<string, CostReport> = new Map(registry.map((report) => [report.id, report]));

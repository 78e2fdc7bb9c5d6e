import { createClient, type Link } from '@tallyport/bus';
import { type BudgetHold, chatService, lineEstimatesSchema, type Principal } from '@tallyport/contracts';

/** The batch whose lines are estimated, and its caller. */
export interface EstimatedBatch {
  id: string;
  principal: Principal;
  endpoint: string;
  /** Those that count for each line. */
  headers: Readonly<Record<string, string>>;
}

/** What chat-svc knows of prices and budgets. */
export interface BudgetClient {
  /** What budgets would reserve for each of these bodies, in billionths of a dollar. */
  estimate(batch: EstimatedBatch, bodies: readonly Buffer[]): Promise<number[]>;
  /** Throws `budget_exceeded` if a new hold does not fit. */
  hold(hold: BudgetHold): Promise<void>;
}

const estimateMs = 60_000;
const callMs = 10_000;
const lineEnd = Buffer.from('\n');

export function openBudgetClient(link: Link): BudgetClient {
  const chat = createClient(link, chatService);
  return {
    async estimate({ id, endpoint, headers, principal }, bodies) {
      const query = new URLSearchParams({ path: endpoint }).toString();
      const head = { requestId: `estimate-${id}`, principal, timeoutMs: estimateMs, headers, query };
      const { body } = await chat.estimateLines({
        head,
        body: Buffer.concat(bodies.flatMap((each) => [each, lineEnd])),
      });
      const { amounts } = lineEstimatesSchema.parse(JSON.parse(Buffer.from(await body.bytes()).toString()));
      if (amounts.length !== bodies.length) throw new TypeError('Each line of a batch needs one estimate.');
      return amounts;
    },
    async hold(hold) {
      if (hold.principal.budgets !== undefined) await chat.holdBudgets(hold, { timeoutMs: callMs });
    },
  };
}

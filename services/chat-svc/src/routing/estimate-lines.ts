import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ExchangeHandler } from '@tallyport/bus';
import { type RequestHead, toGatewayError } from '@tallyport/contracts';
import { highestCost, nanodollars } from '@tallyport/pricing';
import type { ByteBudget } from '@tallyport/serving';
import { chargedOffers } from '@tallyport/serving/metering';
import { holdBody, wholeBody } from '@tallyport/serving/replay';
import type { Upstreams } from '@tallyport/serving/upstreams';
import { readLines } from '@tallyport/wire';
import { jsonAnswer } from '../answer/json-answer.ts';
import { parseBody } from '../parse-request.ts';
import { explainGrounds, type ExplainTools } from './explain-grounds.ts';
import { explainedCall } from './explained-call.ts';
import { explainedChat, plainChat } from './explained-chat.ts';
import { type ExplainGrounds, planExplainedCall, planExplainedChat } from './explained-plans.ts';

interface EstimateTools extends ExplainTools {
  budget: ByteBudget;
  maxBodyBytes: number;
}

/** Beside one line of any size. */
const mostOtherBytes = 8 * 1024 ** 2;
const tooLong = () => new TypeError('A line of a checked input is too long.');

/** What budgets would reserve for each line of a batch, whose requests are planned and not sent. */
export const estimateLines =
  (upstreams: Upstreams, tools: EstimateTools): ExchangeHandler =>
  async (exchange) => {
    const { head, signal } = exchange;
    const { budget, maxBodyBytes } = tools;
    const { body, release } = await holdBody(exchange, {
      maxBodyBytes: maxBodyBytes + mostOtherBytes,
      lease: () => budget.lease(),
    });
    try {
      const grounds = await explainGrounds(upstreams, tools, { principal: head.principal });
      const amounts: number[] = [];
      for await (const { bytes } of readLines(wholeBody(body), { maxBytes: maxBodyBytes, tooLong })) {
        amounts.push(await amountOf(bytes, head, grounds));
        // Requests of clients have their turn after each line.
        await nextTurn(undefined, { signal });
      }
      return jsonAnswer({ amounts });
    } finally {
      release();
    }
  };

/** A line that cannot be planned costs nothing: its error is its result. */
async function amountOf(line: Uint8Array, head: RequestHead, grounds: ExplainGrounds): Promise<number> {
  try {
    const { own, standIns, estimate } = await explained(line, head, grounds);
    if (estimate === undefined) return 0;
    return nanodollars(highestCost(chargedOffers({ ...own, standIns }), estimate));
  } catch (error) {
    if (toGatewayError(error).code === 'unavailable') throw error;
    return 0;
  }
}

async function explained(line: Uint8Array, head: RequestHead, grounds: ExplainGrounds) {
  const value = parseBody(line);
  const call = await explainedCall(head, value, grounds);
  if (call !== undefined) return planExplainedCall(call, head, grounds);
  return planExplainedChat(explainedChat(head, line) ?? plainChat(value, head), head, grounds);
}

import type { ExchangeHandler } from '@tallyport/bus';
import type { SentRoute } from '@tallyport/endpoints';
import { laneOf, type Plan } from '@tallyport/dispatch';
import type { GuardrailTools } from '@tallyport/serving';
import type { Upstreams } from '@tallyport/serving/upstreams';
import { readByChats } from '../complete.ts';
import { parseBody } from '../parse-request.ts';
import { jsonAnswer } from '../answer/json-answer.ts';
import { describePlan, describeRoutes, describeTurns } from './describe.ts';
import { explainGrounds, type ExplainTools } from './explain-grounds.ts';
import { explainedCall } from './explained-call.ts';
import { explainedChat, plainChat } from './explained-chat.ts';
import { planExplainedCall, planExplainedChat } from './explained-plans.ts';
import { reservation } from './reservation.ts';
import { readWhatIfs, refuseStrangers } from './what-ifs.ts';

interface ExplainRouteTools extends ExplainTools {
  maxBodyBytes: number;
  guardrails: GuardrailTools;
}

/**
 * `POST /v1/routes/explain`: returns the plan of a request without calling a provider or spending anything. With `path` in
 * the query it is a request of that API; `uptime`, `price` and `slowness` there are assumptions about providers.
 */
export const explainRoute =
  (upstreams: Upstreams, tools: ExplainRouteTools): ExchangeHandler =>
  async ({ head, body, signal }) => {
    const { maxBodyBytes, guardrails } = tools;
    const bytes = await body.bytes(maxBodyBytes);
    const whatIfs = readWhatIfs(head.query);
    const grounds = await explainGrounds(upstreams, tools, { principal: head.principal, whatIfs });
    const value = parseBody(bytes);
    const findings = await guardrails.explain({ head, bytes: bytes.length, signal }, value);
    const found: Pick<SentRoute, 'guardrails'> = findings ? { guardrails: findings } : {};
    const call = await explainedCall(head, value, grounds);
    const addressed = call === undefined ? explainedChat(head, bytes) : undefined;
    const chat = addressed && readByChats(addressed, guardrails, head);
    const explained = await (call === undefined
      ? planExplainedChat(chat ?? plainChat(value, head), head, grounds)
      : planExplainedCall(call, head, grounds));
    const { own, standIns } = explained;
    refuseStrangers(whatIfs, [own, ...standIns]);
    const describe = (plan: Plan) =>
      describePlan(plan, upstreams.routing, (offer) => chat && laneOf(chat.native, offer));
    const turns = describeTurns(explained, describe);
    return jsonAnswer({
      ...describe(own),
      ...describeRoutes(explained),
      ...turns,
      ...reservation(explained),
      ...found,
    });
  };

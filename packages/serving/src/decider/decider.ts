import { GatewayError, type Principal, type RequestHead } from '@tallyport/contracts';
import {
  createDecisionDispatch,
  type DispatchOptions,
  planDecisions,
  type PlanGround,
  type ServedDecisions,
} from '@tallyport/dispatch';
import { estimatePrompts } from '@tallyport/pricing';
import { type DecisionAnswer, type DecisionCall, decisionImages, decisionTexts } from '@tallyport/providers';
import type { Kit } from '@tallyport/service-kit';
import { createByteBudget } from '../byte-budget.ts';
import { chatSettlement, type Metering, untilRecorded } from '../metering/index.ts';
import { type DecisionUse, deciderEvents } from './decider-events.ts';
import { deciderHead } from './decider-head.ts';

/** Asks decision models on behalf of requests, which go on by the answer. */
export interface Decider {
  /**
   * The answers in the order of the questions. The caller of the request pays, and there is a record like that of every
   * decision. `undefined` if the model does not answer in time, may not be used by the caller, or cannot be paid. Rejects
   * only with the reason of `signal`.
   */
  ask(asked: AskedDecision): Promise<readonly DecisionAnswer[] | undefined>;
  /** Closes every provider connection. */
  close(): Promise<void>;
}

export interface AskedDecision {
  /** Of the request that depends on the decision. */
  head: RequestHead;
  by: DecisionUse;
  /** A model of the catalogue, never a route. */
  model: string;
  call: DecisionCall;
  timeoutMs: number;
  /** Aborts once no caller waits. */
  signal: AbortSignal;
}

interface DeciderTools {
  dispatchOptions: DispatchOptions;
  groundFor(principal: Principal | undefined): Promise<PlanGround>;
  metering: Pick<Metering, 'reserve'>;
}

/** Of all that are asked at the same time. */
const mostBytes = 64 * 1024 * 1024;

/** The text, the body of its request, and its estimate. */
const copies = 3;

export function openDecider(kit: Pick<Kit, 'log' | 'metrics'>, tools: DeciderTools): Decider {
  const { dispatchOptions, groundFor, metering } = tools;
  const dispatch = createDecisionDispatch(dispatchOptions);
  const events = deciderEvents(kit);
  const memory = createByteBudget(mostBytes, 'decisions');

  async function serve({ model, call, signal }: AskedDecision, head: RequestHead): Promise<ServedDecisions> {
    const startedAt = performance.now();
    const { principal } = head;
    const ground = await groundFor(principal);
    const plan = planDecisions({ model, call, principal, fallback: undefined }, dispatchOptions.targets, ground);
    const planMs = performance.now() - startedAt;
    const request = { head, operation: 'decision', plan, planMs, stream: false, cache: 'bypass', signal } as const;
    const estimate = () => estimatePrompts(decisionTexts(call), decisionImages(call));
    const reserved = await metering.reserve({ ...request, neverWaits: true }, estimate);
    if ('error' in reserved) throw reserved.error;
    const onOutcome = (outcome: Parameters<typeof chatSettlement>[0]) => reserved.settle(chatSettlement(outcome));
    return untilRecorded(reserved, startedAt, () => dispatch.serve({ call, plan, signal, onOutcome }));
  }

  return {
    async ask(asked) {
      const { head, by, signal: caller, timeoutMs } = asked;
      const startedAt = performance.now();
      const late = new AbortController();
      const deadline = setTimeout(() => late.abort(tooLate()), timeoutMs);
      const lease = memory.lease(copies);
      try {
        lease.take(decisionTexts(asked.call).reduce((sum, text) => sum + text.length, 0));
        const signal = AbortSignal.any([caller, late.signal]);
        const { answer } = await serve({ ...asked, signal }, deciderHead(head, timeoutMs));
        events.asked(by, 'answered', performance.now() - startedAt);
        return answer.answers;
      } catch (thrown) {
        caller.throwIfAborted();
        events.asked(by, 'failed', performance.now() - startedAt);
        events.failed(asked, thrown);
        return undefined;
      } finally {
        clearTimeout(deadline);
        lease.release();
      }
    },
    close: dispatch.close,
  };
}

const tooLate = (): GatewayError => new GatewayError('deadline_exceeded', 'The decision took too long.');

import type { ExchangeHandler } from '@tallyport/bus';
import { byName, namesOf, type UsageOperation } from '@tallyport/contracts';
import { holdUntilSent } from './answer/hold-until-sent.ts';
import type { ByteBudget } from './byte-budget.ts';
import { type EndUserReader, guardRequest } from './guardrails/guard-request.ts';
import type { LifeStep } from './life-step.ts';
import { batchesLast } from './low-priority.ts';
import type { PaidEndpoint } from './paid-request.ts';
import { refusalOfRepeat } from './refusal-of-repeat.ts';
import { keyOfAnother, type Replays } from './replay/index.ts';
import { servePaid } from './serve-paid.ts';
import type { ServingTools } from './serving-context.ts';

interface LifeTools extends ServingTools {
  replays: Replays;
  budget: ByteBudget;
  maxBodyBytes: number;
  /** What handlers that cost money are recorded as, if a request is blocked before it is read. */
  operations: Readonly<Partial<Record<string, UsageOperation>>>;
  /** How their records find the end user then, where the API has its own member for it. */
  endUsers?: Readonly<Partial<Record<string, EndUserReader>>>;
}

/** A request is translated between the two parts, if it is of another API. */
export interface Life {
  /** From its arrival until it is read. `prepare` comes once it has its turn, before its body is inspected. */
  arrive<Name extends string>(
    handlers: Readonly<Record<Name, ExchangeHandler>>,
    prepare?: (handlers: Record<Name, ExchangeHandler>) => Record<Name, ExchangeHandler>,
  ): Record<Name, ExchangeHandler>;
  /** From its Idempotency-Key until its response is sent. */
  pay(endpoint: PaidEndpoint): ExchangeHandler;
  /** Of what begins a request that is paid for later: an Idempotency-Key begins it once. */
  once(operation: string): LifeStep;
}

export function openLife(tools: LifeTools): Life {
  const { answers, guardrails, metering, replays, budget, maxBodyBytes, operations, endUsers = {} } = tools;
  const bounds = { maxBodyBytes, lease: () => budget.lease() };
  const inTurn = batchesLast();
  return {
    arrive(handlers, prepare = (guarded) => guarded) {
      const names = namesOf(handlers);
      const guarded = byName(names, (name) => {
        const [operation, endUserIn] = [operations[name], endUsers[name]];
        const handle = guardRequest({ tools: guardrails, metering, bounds, operation, endUserIn })(handlers[name]);
        return answers === undefined ? handle : holdUntilSent(answers)(handle);
      });
      const prepared = prepare(guarded);
      return byName(names, (name) => inTurn(prepared[name]));
    },
    pay(endpoint) {
      const protect = replays.protect({
        operation: endpoint.name,
        ...bounds,
        refusalOfRepeat: (exchange) => refusalOfRepeat(tools, endpoint, exchange),
      });
      return protect(servePaid(tools, endpoint));
    },
    once: (operation) =>
      replays.protect({ operation, ...bounds, refusalOfRepeat: () => Promise.reject(keyOfAnother()) }),
  };
}

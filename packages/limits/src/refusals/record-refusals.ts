import type { GatewayError, UsageRecord } from '@tallyport/contracts';
import { isRefusal, type RefusedRequest, refusalRecord } from './refusal-record.ts';
import { createRefusalSampler } from './refusal-sampler.ts';

/** Records refused requests, all of them or samples of a flood. Errors that are no refusals are ignored. */
export type RecordRefusal = (request: RefusedRequest, error: GatewayError) => void;

interface RecordRefusalTools {
  record(record: UsageRecord): void;
  priceVersion(): string;
}

export function createRecordRefusal({ record, priceVersion }: RecordRefusalTools): RecordRefusal {
  const sampler = createRefusalSampler();
  return (request, error) => {
    const { principal } = request.head;
    if (principal === undefined || !isRefusal(error)) return;
    const unrecorded = sampler.take(principal.accountId, performance.now());
    if (unrecorded === undefined) return;
    const made = refusalRecord(request, error, { priceVersion: priceVersion(), now: new Date(), unrecorded });
    if (made !== undefined) record(made);
  };
}

import {
  type GatewayError,
  noTokens,
  type RequestHead,
  type UsageOperation,
  type UsageRecord,
} from '@switchyard/contracts';
import type { Plan } from '@switchyard/dispatch';
import type { Circumstances } from '../usage/usage-record.ts';
import { newRecordId } from '../usage/record-id.ts';

/** A request that was refused before a provider was called. */
export interface RefusedRequest {
  head: RequestHead;
  operation: UsageOperation;
  /** As the client wrote it; absent if the request could not be read that far. */
  model?: string | undefined;
  /** Absent if the request was refused before it was planned. */
  plan?: Plan | undefined;
  stream?: boolean | undefined;
  durationMs: number;
}

const longestName = 200;

/** Whether the client's own request is the reason. Failures of the gateway and clients that left are no refusals. */
export const isRefusal = ({ status }: GatewayError): boolean => status >= 400 && status <= 429;

/** Makes the record of a refused request; `undefined` without a caller. `unrecorded` refusals preceded it. */
export function refusalRecord(
  { head, operation, model, plan, stream = false, durationMs }: RefusedRequest,
  error: GatewayError,
  { priceVersion, now, unrecorded }: Circumstances & { unrecorded: number },
): UsageRecord | undefined {
  if (head.principal === undefined) return undefined;
  const { accountId, projectId, keyId } = head.principal;
  const { findings = [] } = head;
  return {
    id: newRecordId(),
    requestId: head.requestId,
    at: now.toISOString(),
    accountId,
    keyId,
    ...(projectId !== undefined && { projectId }),
    operation,
    requestedModel: (plan?.requestedModel ?? model ?? '').slice(0, longestName),
    // Sums have a row per model, and clients can invent names.
    model: plan?.model.id ?? '',
    attempts: [],
    tokens: noTokens,
    images: 0,
    cost: '0',
    costs: {},
    priceVersion,
    source: 'none',
    flags: [],
    ownKey: false,
    cached: false,
    stream,
    durationMs,
    endReason: 'refused',
    status: error.status,
    error: error.code,
    ...(findings.length > 0 && { guardrails: [...findings] }),
    ...(unrecorded > 0 && { details: { unrecorded } }),
  };
}

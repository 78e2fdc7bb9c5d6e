import {
  type GatewayError,
  newRecordId,
  noTokens,
  type Principal,
  recordNameOf,
  type RequestHead,
  type UsageOperation,
  type UsageRecord,
} from '@tallyport/contracts';

/** A request that was refused before a provider was called. */
export interface RefusedRequest {
  head: Pick<RequestHead, 'principal' | 'requestId' | 'findings' | 'batch'>;
  operation: UsageOperation;
  endUser?: string | undefined;
  /** As the client wrote it; absent if the request could not be read that far. */
  model?: string | undefined;
  /** Absent if the request was refused before it was planned. */
  plan?: { requestedModel: string; model: { id: string } } | undefined;
  stream?: boolean | undefined;
  durationMs: number;
}

interface RefusalCircumstances {
  /** The version of the catalogue that was in force; empty where none is known. */
  priceVersion: string;
  now: Date;
  /** Refusals of the account that were left out before this one. */
  unrecorded: number;
}

const longestName = 200;

/** Whether the client's own request is the reason. Failures of the gateway and clients that left are no refusals. */
export const isRefusal = ({ status }: GatewayError): boolean => status >= 400 && status <= 429;

/** Makes the record of a refused request; `undefined` without a caller. */
export function refusalRecord(
  { head, operation, endUser, model, plan, stream = false, durationMs }: RefusedRequest,
  error: GatewayError,
  { priceVersion, now, unrecorded }: RefusalCircumstances,
): UsageRecord | undefined {
  if (head.principal === undefined) return undefined;
  const { accountId, keyId } = head.principal;
  const { findings = [] } = head;
  // A line is refused again after a death, or while it waits.
  const { id, at } = recordNameOf(head.batch, error.code) ?? { id: newRecordId(), at: now.toISOString() };
  return {
    id,
    requestId: head.requestId,
    at,
    accountId,
    keyId,
    ...holdersOf(head.principal, endUser),
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

const holdersOf = (
  { projectId }: Principal,
  endUser: string | undefined,
): Pick<UsageRecord, 'endUser' | 'projectId'> => ({
  ...(projectId !== undefined && { projectId }),
  ...(endUser !== undefined && { endUser }),
});

import type { BatchedCall } from '@tallyport/contracts';
import { findChatProvider } from '@tallyport/providers';
import type { TakenCall } from '../attempts/detour.ts';
import type { Plan } from '../plan/plan.ts';
import type { OwnRequest } from '../targets/request-to.ts';
import { targetKey } from '../targets/target-key.ts';
import { hasBatches } from '../plan/deferrable-ground.ts';

/** Whether a vendor of the plan, or of the models that stand in, has batches. */
export const mayBeBatched = ({ candidates, standIns = [] }: Plan): boolean =>
  candidates.some(({ offer }) => hasBatches(offer)) || standIns.some(mayBeBatched);

/** `undefined` if the vendor has no batches, or they do not take such a call. */
export function batchedCall({ offer, target, request }: TakenCall): BatchedCall | undefined {
  const format = findChatProvider(offer.providerId)?.batches;
  const endpoint = format?.endpointOf(request.path);
  if (format === undefined || endpoint === undefined || target.path !== undefined) return undefined;
  if (Object.keys(request.headers).some((name) => !format.headers.has(name))) return undefined;
  const body = textOf(request.body);
  if (!mayWait(body)) return undefined;
  return { providerId: offer.providerId, key: targetKey(target), model: offer.modelName, endpoint, body };
}

function textOf(body: OwnRequest['body']): string {
  if (typeof body === 'string') return body;
  return Buffer.concat(body instanceof Uint8Array ? [body] : body).toString();
}

/** What is streamed, runs in the background or has a service tier of its own is not left to a batch. */
function mayWait(body: string): boolean {
  const { stream, background, ...asked } = JSON.parse(body) as Partial<Record<string, unknown>>;
  const tier = asked['service_tier'] ?? asked['serviceTier'];
  return stream !== true && background !== true && (tier === undefined || tier === null || standard.has(tier));
}

const standard: ReadonlySet<unknown> = new Set(['auto', 'default', 'standard_only']);

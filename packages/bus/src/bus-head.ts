import { type RequestHead, requestHeadSchema } from '@switchyard/contracts';

/** The head of a request on the bus, with the fields that the bus adds. */
export interface BusHead extends RequestHead {
  /** The replica that has already refused the request. */
  avoid?: string | undefined;
  /** When the requester sent it, by the requester's clock. */
  sentAt?: number | undefined;
}

export const busHeadSchema = requestHeadSchema.extend({
  avoid: requestHeadSchema.shape.requestId.optional(),
  sentAt: requestHeadSchema.shape.timeoutMs.optional(),
});

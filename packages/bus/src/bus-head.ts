import { type RequestHead, requestHeadSchema, type ResponseHead } from '@tallyport/contracts';
import { parseJson } from './json.ts';

/** The head of a request on the bus, with the fields that the bus adds. */
interface BusHead extends RequestHead, BusFields {}

interface BusFields {
  /** The replica that has already refused the request. */
  avoid?: string | undefined;
  /** When the requester sent it, by the requester's clock. */
  sentAt?: number | undefined;
}

/** A head that was read. The handler gets it without the fields of the bus. */
export interface ArrivedHead extends BusFields {
  head: RequestHead;
}

/** With the first part of a body, a frame stays below the 1 MB that a NATS server accepts by default. */
export const maxHeadBytes = 640 * 1024;

/** `undefined` for a head that is too large. */
export function encodeHead(head: BusHead | ResponseHead): string | undefined {
  const json = JSON.stringify(head);
  return json.length * mostBytesPerUnit > maxHeadBytes && Buffer.byteLength(json) > maxHeadBytes ? undefined : json;
}

/** Of UTF-8, for one unit of a string. */
const mostBytesPerUnit = 3;

/** `undefined` for a head that does not match the contract. */
export function readBusHead(json: string): ArrivedHead | undefined {
  const sent = parseJson(json);
  // The schema copies only the fields that it knows.
  const head = requestHeadSchema.safeParse(sent).data;
  const fields: Readonly<Record<string, unknown>> = Object(sent);
  const { avoid, sentAt } = fields;
  if (head === undefined || !isOptionalText(avoid) || !isOptionalNumber(sentAt)) return undefined;
  return { head, avoid, sentAt };
}

const isOptionalText = (value: unknown): value is string | undefined =>
  value === undefined || typeof value === 'string';

const isOptionalNumber = (value: unknown): value is number | undefined =>
  value === undefined || typeof value === 'number';

import { type RequestHead, requestHeadSchema } from '@tallyport/contracts';
import { parseJson } from './json.ts';

/** The head of a request on the bus, with the fields that the bus adds. */
export interface BusHead extends RequestHead, BusFields {}

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

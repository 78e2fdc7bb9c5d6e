import type { GatewayError, Model, Offer } from '@tallyport/contracts';
import { findChatProvider, type NativeFormat, repairedRequest } from '@tallyport/providers';
import { type Frame, type NativeRequest, type VendorEvent, passedEvent, replaceMembers } from '@tallyport/wire';
import type { OwnRequest } from '../../targets/request-to.ts';
import type { CacheMarks } from '../cache-marks.ts';
import { mostOutput } from '../within-output.ts';

type OwnRequestOfBytes = ReturnType<NativeFormat['request']>;

/** One attempt that passes on a request and its answer unchanged. */
export interface NativeAttempt extends Pick<NativeFormat, 'reading' | 'unwrap'> {
  request(): OwnRequest;
  /** The whole answer, with the model's name that the client used. */
  answer(body: Buffer): Buffer;
  /** The same for an event of a stream. */
  frame(frame: Frame): VendorEvent;
  /** The event that ends a stream, if the API has one. */
  ending: VendorEvent | undefined;
  /** Whether an event is part of the answer, also where a chat has nothing of the kind. */
  begins(frame: Frame): boolean;
  /** Whether a translation of the request may succeed after this error. */
  mayTranslate(error: GatewayError): boolean;
}

/** Why a request is passed on to an offer or translated for it. */
type LaneReason =
  /** The provider has the client's API. */
  | 'same_api'
  | 'other_api'
  /** The model or the vendor is known to refuse the request as it is. */
  | 'unfit'
  /** A member concerns the account with the vendor, or no vendor has this API. */
  | 'not_passed';

export interface Lane {
  lane: 'native' | 'translated';
  reason: LaneReason;
}

/** How an offer gets a request. Providers that an operator configured have OpenAI's chat format only. */
export function laneOf(request: NativeRequest | undefined, offer: Offer): Lane {
  if (request === undefined) return { lane: 'translated', reason: 'not_passed' };
  const format = formatOf(request, offer);
  if (format === undefined) return { lane: 'translated', reason: 'other_api' };
  if (format.lacks?.(request)) return { lane: 'translated', reason: 'unfit' };
  return request.isUntranslatable || format.fits(request, offer)
    ? { lane: 'native', reason: 'same_api' }
    : { lane: 'translated', reason: 'unfit' };
}

function formatOf({ dialect }: NativeRequest, offer: Offer): NativeFormat | undefined {
  const format = findChatProvider(offer.providerId)?.native?.[dialect];
  return format?.serves?.(offer) === false ? undefined : format;
}

interface NativeTerms {
  request: NativeRequest | undefined;
  stream: boolean;
  model: Pick<Model, 'maxOutput'>;
  offer: Offer;
  marks?: CacheMarks | undefined;
}

/** How an offer gets a request that is passed on to it; `undefined` if it gets a translation. */
export function nativeRequest({ request, stream, model, offer, marks }: NativeTerms) {
  const format = request && formatOf(request, offer);
  if (request === undefined || format === undefined || laneOf(request, offer).lane === 'translated') return undefined;
  const terms = { stream, maxOutput: mostOutput(model, offer) };
  const marked = () => {
    const repaired = repairedRequest(request);
    return (marks && format.marked?.(repaired, marks.marking, marks.reuse)) ?? repaired;
  };
  return {
    format,
    passed: request,
    request: (): OwnRequestOfBytes => format.request({ ...marked(), ...terms }, offer),
  };
}

export function nativeAttempt(terms: NativeTerms): NativeAttempt | undefined {
  const native = nativeRequest(terms);
  if (native === undefined) return undefined;
  const { format, passed: request } = native;
  const named = (json: Buffer, path: readonly string[]): Buffer =>
    replaceMembers(json, [{ path, value: JSON.stringify(request.model) }]);
  return {
    request: native.request,
    answer: (body) => named(body, format.answerModel),
    frame(frame) {
      const path = format.eventModel(frame.event);
      return passedEvent(frame, path === undefined ? frame.data : named(frame.data, path));
    },
    ending: format.ending && passedEvent(format.ending, format.ending.data),
    begins: ({ event }) => event !== undefined && !format.openings.has(event),
    ...(format.reading && { reading: format.reading }),
    ...(format.unwrap && { unwrap: format.unwrap }),
    mayTranslate: (error) => !request.isUntranslatable && format.isRefused?.(error) === true,
  };
}

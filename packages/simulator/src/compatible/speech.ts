import {
  type ApiError,
  type ArrivedRequest,
  findSpeechFault,
  isObject,
  jsonOf,
  type JsonObject,
  type VendorRoute,
  type RouteAnswer,
  speechReply,
} from '@tallyport/sandbox';
import { basePathOf } from '../bases.ts';
import { findUnknownSpeechMember } from '../openai/speech-strictness.ts';
import { dialectOf, refusalOf, wordedFor } from './dialect.ts';
import { notJson, unknownMember, unsupported } from '../refusals.ts';
import type { CompatibleVendor } from './vendor.ts';

/** How a vendor's speech differs from OpenAI's. */
interface SpeechVendor {
  readonly id: string;
  readonly path?: RegExp;
  readonly refuse: (body: JsonObject) => ApiError | undefined;
  readonly deploymentOf?: (request: ArrivedRequest) => string | undefined;
}

/** Members besides `model`, `input` and `voice`, which must be a name; and the formats. */
const limited =
  (members: readonly string[], formats: readonly string[]) =>
  (body: JsonObject): ApiError | undefined => {
    const unknown = unknownMember(body, ['model', 'input', 'voice', 'response_format', ...members]);
    if (unknown !== undefined) return unsupported(unknown);
    if (typeof body.voice !== 'string') return unsupported('voice');
    return formats.includes(String(body.response_format)) ? undefined : unsupported('response_format');
  };

const vendors: readonly SpeechVendor[] = [
  {
    id: 'azure',
    path: /^\/azure\/openai\/(?:v1|deployments\/[^/]+)\/audio\/speech$/,
    refuse: findUnknownSpeechMember,
    deploymentOf: ({ path }) => /\/deployments\/([^/]+)\//.exec(path)?.[1],
  },
  { id: 'groq', refuse: limited(['sample_rate', 'speed'], ['flac', 'mp3', 'mulaw', 'ogg', 'wav']) },
  {
    id: 'together',
    refuse: limited(['response_encoding', 'sample_rate', 'language', 'stream'], ['mp3', 'wav', 'raw']),
  },
];

interface SpeechRouteOptions {
  /** The vendor of chats, for its error texts. */
  vendorOf(id: string): CompatibleVendor;
  knowsKey(request: ArrivedRequest, vendor: CompatibleVendor): boolean;
}

/** The speech of vendors with OpenAI's format. */
export const compatibleSpeech = ({ vendorOf, knowsKey }: SpeechRouteOptions): VendorRoute[] =>
  vendors.map((speech) => {
    const vendor = vendorOf(speech.id);
    return {
      method: 'POST',
      path: speech.path ?? new RegExp(`^${basePathOf(speech.id)}/audio/speech$`),
      provider: speech.id,
      faulty: true,
      dialect: dialectOf(vendor),
      answer: (request) =>
        knowsKey(request, vendor)
          ? answerSpeech(request, speech, vendor)
          : { answer: refusalOf(vendor, wordedFor(vendor, 401)) },
    };
  });

function answerSpeech(
  request: ArrivedRequest,
  { deploymentOf, refuse }: SpeechVendor,
  vendor: CompatibleVendor,
): RouteAnswer {
  const parsed = jsonOf(request.body.toString());
  if (!isObject(parsed)) return { answer: refusalOf(vendor, notJson) };
  const body: JsonObject = { ...parsed, model: deploymentOf?.(request) ?? parsed.model };
  const error = refuse(body) ?? findSpeechFault(body);
  return { model: String(body.model), answer: error ? refusalOf(vendor, error) : speechReply(body) };
}

import {
  type ApiError,
  type ArrivedRequest,
  findTranscriptionFault,
  type VendorRoute,
  type RouteAnswer,
  type TranscriptionForm,
  transcriptionForm,
  transcriptReply,
} from '@tallyport/sandbox';
import { basePathOf } from '../bases.ts';
import { findUnknownTranscriptionField } from '../openai/transcription-strictness.ts';
import { dialectOf, refusalOf, wordedFor } from './dialect.ts';
import { unsupported } from '../refusals.ts';
import type { CompatibleVendor } from './vendor.ts';

/** How a vendor's transcriptions differ from OpenAI's. */
interface TranscriptionVendor {
  readonly id: string;
  readonly path?: RegExp;
  readonly counts: 'usage' | 'nothing';
  readonly refuse: (form: TranscriptionForm) => ApiError | undefined;
  readonly deploymentOf?: (request: ArrivedRequest) => string | undefined;
}

/** Fields besides the model and the format, and the formats. */
const limited =
  (names: readonly string[], formats: readonly string[]) =>
  ({ fields }: TranscriptionForm): ApiError | undefined => {
    const unknown = Object.keys(fields).find((name) => !['model', 'response_format', ...names].includes(name));
    if (unknown !== undefined) return unsupported(unknown);
    return formats.includes(fields.response_format ?? 'json') ? undefined : unsupported('response_format');
  };

const vendors: readonly TranscriptionVendor[] = [
  {
    id: 'azure',
    path: /^\/azure\/openai\/(?:v1|deployments\/[^/]+)\/audio\/(?:transcriptions|translations)$/,
    counts: 'usage',
    refuse: findUnknownTranscriptionField,
    deploymentOf: ({ path }) => /\/deployments\/([^/]+)\//.exec(path)?.[1],
  },
  {
    id: 'groq',
    counts: 'nothing',
    refuse: limited(
      ['language', 'prompt', 'temperature', 'timestamp_granularities[]', 'url'],
      ['json', 'text', 'verbose_json'],
    ),
  },
  {
    id: 'together',
    counts: 'nothing',
    refuse: limited(['diarize', 'min_speakers', 'max_speakers'], ['json', 'verbose_json']),
  },
];

interface TranscriptionRouteOptions {
  /** The vendor of chats, for its error texts. */
  vendorOf(id: string): CompatibleVendor;
  knowsKey(request: ArrivedRequest, vendor: CompatibleVendor): boolean;
}

/** The transcriptions of vendors with OpenAI's format. */
export const compatibleTranscriptions = ({ vendorOf, knowsKey }: TranscriptionRouteOptions): VendorRoute[] =>
  vendors.map((transcription) => {
    const vendor = vendorOf(transcription.id);
    return {
      method: 'POST',
      path: transcription.path ?? new RegExp(`^${basePathOf(transcription.id)}/audio/(?:transcriptions|translations)$`),
      provider: transcription.id,
      faulty: true,
      dialect: dialectOf(vendor),
      answer: (request) =>
        knowsKey(request, vendor)
          ? answerForm(request, transcription, vendor)
          : { answer: refusalOf(vendor, wordedFor(vendor, 401)) },
    };
  });

function answerForm(
  request: ArrivedRequest,
  { counts, deploymentOf, refuse }: TranscriptionVendor,
  vendor: CompatibleVendor,
): RouteAnswer {
  const read = transcriptionForm(request);
  const model = deploymentOf?.(request) ?? read.fields.model ?? '';
  const form = { ...read, fields: { ...read.fields, model } };
  const error = refuse(form) ?? findTranscriptionFault(form);
  return { model, answer: error ? refusalOf(vendor, error) : transcriptReply(form, counts) };
}

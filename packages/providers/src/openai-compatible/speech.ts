import { posted } from '../images/image-family.ts';
import { faultIn } from './error.ts';
import type { OpenAiVendor } from './vendor.ts';
import type { SpeechFormat } from '../spec/call-formats.ts';
import { finiteNumber, members } from '../read.ts';
import type { SpeechCall, SpeechFileFormat } from '../spec/speech-call.ts';

const optionalMembers = ['voice.id', 'instructions', 'stream_format', 'speed'] as const;
type Optional = (typeof optionalMembers)[number];

/** How a vendor deviates from OpenAI's speech. */
export interface OpenAiSpeechOptions {
  /** Defaults to `/audio/speech`. */
  path?: string;
  /** The vendor's names of the formats that it can answer in. */
  formats: Partial<Readonly<Record<SpeechFileFormat, string>>>;
  /** Members that it accepts besides the text, a voice by its name, and the format. */
  accepts: readonly Optional[];
  /** Models that accept neither instructions nor events. */
  plain?: RegExp;
}

/** OpenAI's speech, and that of vendors with its format. */
export const openAiSpeech = (vendor: OpenAiVendor, options: OpenAiSpeechOptions): SpeechFormat => ({
  unsupported: (call, { modelName }) => unsupported(call, modelName, options),
  request: (call, { modelName }) =>
    posted(options.path ?? '/audio/speech', bodyOf(call, modelName, options), { accept: '*/*' }),
  fault: (body) => faultIn(members(body), vendor),
  ending(event) {
    const { type, usage } = members(event);
    if (type !== 'speech.audio.done') return undefined;
    const { input_tokens, output_tokens } = members(usage);
    const [input, output] = [finiteNumber(input_tokens), finiteNumber(output_tokens)];
    return input === undefined || output === undefined ? {} : { tokens: { input, output } };
  },
});

function unsupported(
  call: SpeechCall,
  modelName: string,
  { formats, accepts, plain }: OpenAiSpeechOptions,
): string | undefined {
  if (formats[call.response_format] === undefined) return 'response_format';
  const isPlain = plain?.test(modelName) === true;
  const lacks = (member: Optional): boolean =>
    !accepts.includes(member) || (isPlain && (member === 'instructions' || member === 'stream_format'));
  return optionalMembers.find((member) => isGiven[member](call) && lacks(member));
}

const isGiven: Readonly<Record<Optional, (call: SpeechCall) => boolean>> = {
  'voice.id': ({ voice }) => typeof voice !== 'string',
  instructions: ({ instructions }) => instructions !== undefined,
  stream_format: ({ stream_format: streamed }) => streamed === 'sse',
  speed: ({ speed }) => speed !== undefined,
};

/** The format is always sent, because vendors differ in their defaults. */
const bodyOf = (call: SpeechCall, modelName: string, { formats }: OpenAiSpeechOptions): object => {
  const { response_format: format, stream_format: streamed, ...rest } = call;
  return {
    model: modelName,
    ...rest,
    response_format: formats[format],
    ...(streamed === 'sse' && { stream_format: streamed }),
  };
};

import { GatewayError } from '@tallyport/contracts';
import { checkedRequest, embeddingRequest, mostInputs } from '@tallyport/endpoints';
import { estimateInputs } from '@tallyport/pricing';
import type { EmbeddingCall, EmbeddingInput, InputType } from '@tallyport/providers';
import type { PromptFacts } from '@tallyport/serving';
import { z } from 'zod';
import { wrongMember } from '../wrong-member.ts';

interface EmbeddingRequest {
  model: string;
  call: EmbeddingCall;
  /** As the client wrote it. */
  endUser: unknown;
}

/** Its inputs are read by hand: there may be millions of tokens. A test holds both to the same values. */
const membersSchema = embeddingRequest.extend({ input: z.unknown() });

/** Checks a request. Throws `invalid_parameters` with the path of the member: `input[3]`. */
export function asEmbeddingRequest(value: unknown): EmbeddingRequest {
  const { model, input, encoding_format: encoding, user, ...rest } = checkedRequest(membersSchema, value);
  const dimensions = rest.dimensions ?? rest.output_dimension;
  const vectorType = vectorTypeOf(rest.output_dtype, encoding);
  const call = {
    inputs: inputsOf(input),
    encoding: encoding ?? 'float',
    ...(typeof dimensions === 'number' && { dimensions }),
    ...(rest.input_type != null && { inputType: inputTypeOf(rest.input_type) }),
    ...(vectorType !== undefined && { vectorType }),
    ...(rest.truncation === true && { truncation: true as const }),
    ...(typeof user === 'string' && { user }),
  };
  return { model, call, endUser: user };
}

type Asked = z.infer<typeof membersSchema>;

function inputTypeOf(asked: NonNullable<Asked['input_type']>): InputType {
  if (asked === 'document') return 'search_document';
  return asked === 'query' ? 'search_query' : asked;
}

/** Clients read base64 as floats, and OpenAI's SDKs request it by default: such a request is refused. */
function vectorTypeOf(asked: Asked['output_dtype'], encoding: Asked['encoding_format']): EmbeddingCall['vectorType'] {
  if (asked == null || asked === 'float') return undefined;
  if (encoding !== 'base64') return asked;
  throw wrongMember('encoding_format', `must be \`float\` with the \`output_dtype\` ${asked}`);
}

export const embeddingFacts = ({ inputs }: EmbeddingCall): PromptFacts => ({
  tokens: () => estimateInputs(inputs),
  modalities: () => ['text'],
  beginning: () => beginningOf(inputs[0] ?? ''),
});

const beginningOf = (input: EmbeddingInput): string =>
  typeof input === 'string' ? input : input.slice(0, 1_000).join();

/** Vectors of another length would break the client's index without notice, so several models need one length. */
export function refuseOtherLengths({ dimensions }: EmbeddingCall): void {
  if (dimensions !== undefined) return;
  const message =
    'Several models need `dimensions`, because the vectors of each have a length of their own. Vectors of different models cannot be compared.';
  throw new GatewayError('invalid_parameters', message, { param: 'dimensions' });
}

/** A list that starts with a number is the tokens of one text. */
function inputsOf(input: unknown): EmbeddingInput[] {
  if (typeof input === 'string') return [inputAt(input, 'input')];
  if (!Array.isArray(input)) throw wrongMember('input', 'must be text, a list of texts, tokens, or a list of tokens');
  if (input.length === 0) throw wrongMember('input', 'must not be empty');
  if (typeof input[0] === 'number') return [inputAt(input, 'input')];
  if (input.length > mostInputs)
    throw wrongMember('input', `must have at most ${mostInputs} entries; send several requests`);
  return input.map((each, at) => inputAt(each, `input[${at}]`));
}

function inputAt(input: unknown, param: string): EmbeddingInput {
  const isText = typeof input === 'string';
  if (!isText && !isTokens(input)) throw wrongMember(param, 'must be text or a list of tokens');
  if (input.length === 0) throw wrongMember(param, 'must not be empty');
  return input;
}

const isTokens = (input: unknown): input is number[] =>
  Array.isArray(input) && input.every((token) => Number.isSafeInteger(token) && token >= 0);

import { GatewayError } from '@tallyport/contracts';
import { type EmbeddingCall, type EmbeddingInput, inputTypes } from '@tallyport/providers';
import { firstIssue, problemOf } from '@tallyport/wire';
import { z } from 'zod';

export interface EmbeddingRequest {
  model: string;
  call: EmbeddingCall;
}

/** OpenAI's limit. Vendors that accept fewer get several calls. */
export const mostInputs = 2_048;

/** Unknown members are refused: dropping one could change the vectors without notice. */
const requestSchema = z.strictObject({
  model: z.string('must be text').min(1, 'must not be empty'),
  input: z.unknown(),
  dimensions: z.int('must be a whole number').min(1, 'must be at least 1').max(100_000, 'is too large').nullish(),
  encoding_format: z.enum(['float', 'base64'], 'must be `float` or `base64`').nullish(),
  /** Ours, in Cohere's words: what the vectors are for. */
  input_type: z.enum(inputTypes, `must be one of ${inputTypes.join(', ')}`).nullish(),
  user: z.string('must be text').nullish(),
});

/** Checks a request. Throws `invalid_parameters` with the path of the member: `input[3]`. */
export function asEmbeddingRequest(value: unknown): EmbeddingRequest {
  const { success, data, error } = requestSchema.safeParse(value, firstIssue);
  if (!success) {
    const { param, message } = problemOf(error);
    throw new GatewayError('invalid_parameters', message, param === null ? {} : { param });
  }
  const { model, input, dimensions, encoding_format: encoding, input_type: inputType, user } = data;
  const call = {
    inputs: inputsOf(input),
    encoding: encoding ?? 'float',
    ...(typeof dimensions === 'number' && { dimensions }),
    ...(typeof inputType === 'string' && { inputType }),
    ...(typeof user === 'string' && { user }),
  };
  return { model, call };
}

/** A list that starts with a number is the tokens of one text. */
function inputsOf(input: unknown): EmbeddingInput[] {
  if (typeof input === 'string') return [inputAt(input, 'input')];
  if (!Array.isArray(input)) throw invalid('input', 'must be text, a list of texts, tokens, or a list of tokens');
  if (input.length === 0) throw invalid('input', 'must not be empty');
  if (typeof input[0] === 'number') return [inputAt(input, 'input')];
  if (input.length > mostInputs)
    throw invalid('input', `must have at most ${mostInputs} entries; send several requests`);
  return input.map((each, at) => inputAt(each, `input[${at}]`));
}

function inputAt(input: unknown, param: string): EmbeddingInput {
  const isText = typeof input === 'string';
  if (!isText && !isTokens(input)) throw invalid(param, 'must be text or a list of tokens');
  if (input.length === 0) throw invalid(param, 'must not be empty');
  return input;
}

const isTokens = (input: unknown): input is number[] =>
  Array.isArray(input) && input.every((token) => Number.isSafeInteger(token) && token >= 0);

const invalid = (param: string, message: string): GatewayError =>
  new GatewayError('invalid_parameters', `${param}: ${message}.`, { param });

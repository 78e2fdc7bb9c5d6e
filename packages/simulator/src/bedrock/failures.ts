import { type FailureOptions } from '@tallyport/sandbox';
import type { BedrockError } from './errors.ts';

/** Bedrock's error for this status. */
export function bedrockFailure(status: number, { code }: FailureOptions = {}): BedrockError {
  const [type, message] = known[status] ?? (status < 500 ? invalid : internal);
  return { status, type: code ?? type, message };
}

const invalid = ['ValidationException', 'Simulated: the request is invalid.'] as const;
const internal = ['InternalServerException', 'The system encountered an unexpected error during processing.'] as const;

const known: Readonly<Record<number, readonly [type: string, message: string]>> = {
  401: ['UnrecognizedClientException', 'The security token included in the request is invalid.'],
  403: ['AccessDeniedException', "You don't have access to the model with the specified model ID."],
  404: ['ResourceNotFoundException', 'Could not resolve the foundation model from the provided model identifier.'],
  408: ['ModelTimeoutException', 'Model has timed out in processing the request. Try your request again.'],
  424: ['ModelErrorException', 'The model returned an error.'],
  429: ['ThrottlingException', 'Too many requests, please wait before trying again.'],
  503: ['ServiceUnavailableException', 'Bedrock is unable to process your request.'],
};

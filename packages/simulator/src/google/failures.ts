import { type FailureOptions } from '@tallyport/sandbox';
import { googleWrongKey, type GoogleError } from './errors.ts';

/** Google's error for this status. */
export function googleFailure(code: number, { code: word, retryAfter }: FailureOptions = {}): GoogleError {
  if (code === 400 && word === 'API_KEY_INVALID') return googleWrongKey;
  const [status, message] = known[code] ?? (code < 500 ? invalid : internal);
  const details = code === 429 ? quotaDetails(retryAfter) : undefined;
  return { code, message, status: word ?? status, ...(details && { details }) };
}

const quotaDetails = (retryAfter: number | undefined) => [
  {
    '@type': 'type.googleapis.com/google.rpc.QuotaFailure',
    violations: [{ quotaId: 'GenerateRequestsPerMinutePerProjectPerModel', quotaValue: '10' }],
  },
  ...(retryAfter === undefined
    ? []
    : [{ '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: `${retryAfter}s` }]),
];

const invalid = ['INVALID_ARGUMENT', 'Simulated: the request is invalid.'] as const;
const internal = ['INTERNAL', 'An internal error has occurred.'] as const;

const known: Readonly<Record<number, readonly [status: string, message: string]>> = {
  401: ['UNAUTHENTICATED', 'Request had invalid authentication credentials.'],
  403: ['PERMISSION_DENIED', 'The caller does not have permission'],
  404: ['NOT_FOUND', 'models/simulated is not found for API version v1beta.'],
  429: ['RESOURCE_EXHAUSTED', 'You exceeded your current quota, please check your plan and billing details.'],
  499: ['CANCELLED', 'The operation was cancelled.'],
  503: ['UNAVAILABLE', 'The model is overloaded. Please try again later.'],
  504: ['DEADLINE_EXCEEDED', 'The request timed out.'],
};

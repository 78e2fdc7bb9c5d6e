import { jsonReply, type Reply } from '@tallyport/sandbox';

export interface GoogleError {
  readonly code: number;
  readonly status: string;
  readonly message: string;
  readonly details?: readonly object[];
}

export const googleInvalid = (message: string): GoogleError => ({ code: 400, status: 'INVALID_ARGUMENT', message });

export const googleUnknownModel = (model: string): GoogleError => ({
  code: 404,
  status: 'NOT_FOUND',
  message: `models/${model} is not found for API version v1beta, or is not supported for generateContent.`,
});

/** The vendor reports a wrong key as an invalid argument; only the reason differs. */
export const googleWrongKey: GoogleError = {
  ...googleInvalid('API key not valid. Please pass a valid API key.'),
  details: [
    {
      '@type': 'type.googleapis.com/google.rpc.ErrorInfo',
      reason: 'API_KEY_INVALID',
      domain: 'googleapis.com',
      metadata: { service: 'generativelanguage.googleapis.com' },
    },
  ],
};

export const googleMissingKey: GoogleError = {
  code: 403,
  status: 'PERMISSION_DENIED',
  message:
    "Method doesn't allow unregistered callers (callers without established identity). Please use API Key or other form of API consumer identity to call this API.",
};

export const unauthenticated: GoogleError = {
  code: 401,
  status: 'UNAUTHENTICATED',
  message:
    'Request had invalid authentication credentials. Expected OAuth 2 access token, login cookie or other valid authentication credential.',
};

export const googleErrorReply = (error: GoogleError, asArray = false): Reply =>
  jsonReply(error.code, asArray ? [{ error }] : { error });

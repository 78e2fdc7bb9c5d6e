import { invalidRequest } from '@tallyport/sandbox';
import type { CompatibleVendor } from '../vendor.ts';

/** A model's name contains its date, or is an endpoint. */
export const bytedanceVendor: CompatibleVendor = {
  id: 'bytedance',
  refuse: ({ model }) =>
    /^(ep-|.*-\d{6}$)/.test(String(model))
      ? undefined
      : {
          ...invalidRequest(
            `The model or endpoint ${String(model)} does not exist or you do not have access to it.`,
            null,
          ),
          status: 404,
          type: 'NotFound',
          code: 'InvalidEndpointOrModel.NotFound',
        },
  errorTexts: {
    400: { type: 'BadRequest', code: 'InvalidParameter' },
    401: {
      message: 'The API key or AK/SK in the request is missing or invalid.',
      type: 'Unauthorized',
      code: 'AuthenticationError',
    },
    404: { type: 'NotFound', code: 'InvalidEndpointOrModel.NotFound' },
    429: {
      message: 'Requests are too frequent.',
      type: 'TooManyRequests',
      code: 'RateLimitExceeded.EndpointRPMExceeded',
    },
    500: {
      message: 'The service encountered an unexpected internal error.',
      type: 'InternalServerError',
      code: 'InternalServiceError',
    },
  },
  spell: () => ({ answerMembers: { service_tier: 'default' } }),
};

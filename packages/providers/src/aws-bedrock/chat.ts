import type { ChatProvider } from '../provider.ts';
import { awsAddress, awsSettings } from './address.ts';
import { readError } from './error.ts';
import { toUpstreamRequest, unsupportedIn } from './request.ts';
import { toCompletion } from './response.ts';
import { createStreamTranslator } from './stream.ts';

const id = 'aws-bedrock';

/** The Converse API, which is the same for every model of AWS Bedrock. */
export const awsBedrock: ChatProvider = {
  id,
  dialect: 'bedrock',
  baseUrl: 'https://bedrock-runtime.us-east-1.amazonaws.com',
  keyVariable: 'AWS_BEDROCK',
  auth: { kind: 'aws-sigv4', service: 'bedrock', keyVariable: 'AWS_BEARER_TOKEN_BEDROCK' },
  settings: awsSettings,
  address: awsAddress,
  framing: 'aws-event-stream',
  textDeltasAreIndependent: true,
  images: 'inline',
  imageLimits: {
    count: 20,
    bytes: 3.75 * 1024 * 1024,
    totalBytes: 25 * 1024 * 1024,
    mediaTypes: ['image/png', 'image/jpeg', 'image/gif', 'image/webp'],
  },
  maxChoices: 1,
  unsupported: unsupportedIn,
  request: toUpstreamRequest,
  response: (body, context) => toCompletion(body, { ...context, providerId: id }),
  stream: (context) => createStreamTranslator({ ...context, providerId: id }),
  error: (status, headers, body) => readError({ providerId: id, status, headers, body }),
};

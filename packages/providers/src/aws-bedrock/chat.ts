import type { ChatProvider } from '../spec/provider.ts';
import { usualNames } from '../tool-names/tool-names.ts';
import { withAcceptedNames } from '../tool-names/with-accepted-names.ts';
import { awsAddress, awsSettings } from './address.ts';
import { converseCounting } from './counting.ts';
import { bedrockEmbeddings } from './embeddings.ts';
import { bedrockError } from './error.ts';
import { bedrockMarking } from './marking.ts';
import { bedrockClaude } from './native-claude.ts';
import { bedrockThoughts } from './reasoning.ts';
import { bedrockRequest, unsupportedByBedrock } from './request.ts';
import { bedrockRerank } from './rerank.ts';
import { bedrockCompletion } from './response.ts';
import { createBedrockStream } from './stream.ts';

const id = 'aws-bedrock';

/** The Converse API, which is the same for every model of AWS Bedrock. */
const converse: ChatProvider = {
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
  embeddings: bedrockEmbeddings(id),
  rankings: bedrockRerank(id),
  counting: converseCounting,
  native: { 'anthropic-messages': bedrockClaude(id) },
  callSignatures: bedrockThoughts,
  cacheMarking: bedrockMarking,
  // Of models that are invoked directly.
  tierHeader: 'x-amzn-bedrock-service-tier',
  unsupported: unsupportedByBedrock,
  request: bedrockRequest,
  response: (body, context) => bedrockCompletion(body, { ...context, providerId: id }),
  stream: (context) => createBedrockStream({ ...context, providerId: id }),
  error: (status, headers, body) => bedrockError({ providerId: id, status, headers, body }),
};

export const awsBedrock = withAcceptedNames(converse, usualNames);

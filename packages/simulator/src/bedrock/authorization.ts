import { bearerOf, isAcceptedKey, type ArrivedRequest } from '@tallyport/sandbox';
import { denied, type BedrockFinding } from './errors.ts';
import { checkSignature, type AwsCredentials } from './signature.ts';

interface BedrockKeys {
  readonly apiKeys: readonly string[];
  readonly awsCredentials?: AwsCredentials | undefined;
}

/** Accepts a Bedrock API key as bearer token, or a signature. */
export function refuseBedrockKey(request: ArrivedRequest, { apiKeys, awsCredentials }: BedrockKeys): BedrockFinding {
  if (request.headers.authorization === undefined)
    return denied('MissingAuthenticationTokenException', 'Missing Authentication Token');
  const key = bearerOf(request.headers);
  if (key === undefined) return checkSignature(request, awsCredentials);
  if (isAcceptedKey(key, apiKeys)) return undefined;
  return denied('AccessDeniedException', 'Authentication failed: Please make sure your API Key is valid.');
}

import { type ArrivedRequest } from '@switchyard/sandbox';
import { denied, type BedrockFinding } from './errors.ts';
import { checkSignature, type AwsCredentials } from './signature.ts';

export interface BedrockKeys {
  readonly apiKeys: readonly string[];
  readonly awsCredentials?: AwsCredentials | undefined;
}

/** A Bedrock API key as bearer, or a signature. */
export function refuseBedrockKey(request: ArrivedRequest, { apiKeys, awsCredentials }: BedrockKeys): BedrockFinding {
  const { authorization } = request.headers;
  if (authorization === undefined) return denied('MissingAuthenticationTokenException', 'Missing Authentication Token');
  const key = /^Bearer\s+(\S+)$/i.exec(authorization)?.[1];
  if (key === undefined) return checkSignature(request, awsCredentials);
  if (apiKeys.length === 0 || apiKeys.includes(key)) return undefined;
  return denied('AccessDeniedException', 'Authentication failed: Please make sure your API Key is valid.');
}

import type { Address, Configured, Missing, ProviderSetting } from '../spec/provider.ts';

/** The account's settings, under the names the vendor's own tools use. */
export const awsSettings: readonly ProviderSetting[] = [
  {
    name: 'AWS_BEARER_TOKEN_BEDROCK',
    description: 'Alternative name of AWS_BEDROCK_API_KEY, as used by AWS tools.',
    secret: true,
  },
  {
    name: 'AWS_ACCESS_KEY_ID',
    description: 'Access key that signs requests to AWS Bedrock. Used if no API key is set.',
    secret: true,
  },
  { name: 'AWS_SECRET_ACCESS_KEY', description: 'Secret access key that belongs to AWS_ACCESS_KEY_ID.', secret: true },
  { name: 'AWS_SESSION_TOKEN', description: 'Session token of a temporary AWS_ACCESS_KEY_ID.', secret: true },
  { name: 'AWS_REGION', description: 'AWS region of Bedrock. Defaults to us-east-1.', example: 'eu-central-1' },
];

export function awsAddress({ baseUrl, setting }: Configured): Address | Missing {
  const region = setting('AWS_REGION') ?? 'us-east-1';
  if (!/^[a-z0-9-]+$/.test(region)) return { missing: 'AWS_REGION with the name of a region' };
  return { baseUrl: baseUrl ?? `https://bedrock-runtime.${region}.amazonaws.com` };
}

import type { Address, Configured, Missing, ProviderSetting } from '../provider.ts';

/** How the account is told, by the names the vendor's own tools read. */
export const awsSettings: readonly ProviderSetting[] = [
  {
    name: 'AWS_BEARER_TOKEN_BEDROCK',
    description: "The vendor's own name for AWS_BEDROCK_API_KEY.",
    secret: true,
  },
  {
    name: 'AWS_ACCESS_KEY_ID',
    description: 'Access key that signs requests to AWS Bedrock, where there is no API key.',
    secret: true,
  },
  { name: 'AWS_SECRET_ACCESS_KEY', description: 'The secret of AWS_ACCESS_KEY_ID.', secret: true },
  { name: 'AWS_SESSION_TOKEN', description: 'Belongs to a temporary AWS_ACCESS_KEY_ID.', secret: true },
  { name: 'AWS_REGION', description: 'Region of AWS Bedrock. Without it us-east-1.', example: 'eu-central-1' },
];

export function awsAddress({ baseUrl, setting }: Configured): Address | Missing {
  const region = setting('AWS_REGION') ?? 'us-east-1';
  if (!/^[a-z0-9-]+$/.test(region)) return { missing: 'AWS_REGION with the name of a region' };
  return { baseUrl: baseUrl ?? `https://bedrock-runtime.${region}.amazonaws.com` };
}

/** Portkey's names of vendors, as providers of this gateway. Those with the same name are not listed. */
export const providerNames: Readonly<Record<string, string>> = {
  'azure-openai': 'azure',
  bedrock: 'aws-bedrock',
  dashscope: 'alibaba',
  'fireworks-ai': 'fireworks',
  'mistral-ai': 'mistral',
  'novita-ai': 'novita',
  'perplexity-ai': 'perplexity',
  'together-ai': 'together',
  'vertex-ai': 'google-vertex',
  'x-ai': 'xai',
  'z-ai': 'zai',
  zhipu: 'zai',
};

/** Members of a target that are settings of this gateway's environment. */
export const variableNames: Readonly<Record<string, string>> = {
  aws_access_key_id: 'AWS_ACCESS_KEY_ID',
  aws_region: 'AWS_REGION',
  aws_secret_access_key: 'AWS_SECRET_ACCESS_KEY',
  aws_session_token: 'AWS_SESSION_TOKEN',
  vertex_project_id: 'GOOGLE_VERTEX_PROJECT',
  vertex_region: 'GOOGLE_VERTEX_LOCATION',
};

export const isSecret = (member: string): boolean => member.startsWith('aws_') && member !== 'aws_region';

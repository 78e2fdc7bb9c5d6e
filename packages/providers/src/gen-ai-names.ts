/** The words of OpenTelemetry's GenAI conventions for vendors whose id here differs. */
const words: ReadonlyMap<string, string> = new Map([
  ['aws-bedrock', 'aws.bedrock'],
  ['azure', 'azure.ai.openai'],
  ['google', 'gcp.gemini'],
  ['google-vertex', 'gcp.vertex_ai'],
  ['mistral', 'mistral_ai'],
  ['moonshot', 'moonshot_ai'],
  ['xai', 'x_ai'],
]);

/** `gen_ai.provider.name`. The conventions have no words for other vendors, which keep their ids. */
export const genAiProviderName = (providerId: string): string => words.get(providerId) ?? providerId;

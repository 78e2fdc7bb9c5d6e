import { bedrockInvalid, type BedrockFinding } from './errors.ts';

/** Accepts `vendor.model`; some models require the prefix of a region group. */
export function refuseModel(model: string): BedrockFinding {
  if (!/^(arn:aws:bedrock:|[a-z0-9-]+\.)/.test(model))
    return bedrockInvalid('The provided model identifier is invalid.');
  if (!/^anthropic\.claude-[a-z]+-[4-9]/.test(model)) return undefined;
  return bedrockInvalid(
    `Invocation of model ID ${model} with on-demand throughput isn’t supported. Retry your request with the ID or ARN of an inference profile that contains this model.`,
  );
}

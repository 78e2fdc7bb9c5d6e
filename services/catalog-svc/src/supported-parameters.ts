import { samplingParameters } from '@tallyport/contracts';
import type { Feature, ModelEntry } from './data-file.ts';

/** The request members that affect this model, in alphabetical order. */
export function supportedParameters({ features, output, reasoningEfforts }: ModelEntry): string[] {
  const has = (feature: Feature) => features.includes(feature);
  const makesText = output.includes('text');
  return [
    'user',
    ...(makesText ? ['max_tokens', 'max_completion_tokens'] : []),
    ...(output.includes('embeddings') ? ['dimensions', 'encoding_format'] : []),
    ...(output.includes('image') ? ['image_config', 'n', 'size'] : []),
    ...(has('reasoning') ? ['reasoning'] : []),
    ...(reasoningEfforts === undefined ? [] : ['reasoning_effort']),
    ...(has('sampling') ? samplingParameters : []),
    ...(has('json') || has('structured') ? ['response_format'] : []),
    ...(has('streaming') ? ['stream', 'stream_options'] : []),
    ...(has('tools') ? ['tools', 'tool_choice'] : []),
    ...(has('parallelToolCalls') ? ['parallel_tool_calls'] : []),
  ].toSorted();
}

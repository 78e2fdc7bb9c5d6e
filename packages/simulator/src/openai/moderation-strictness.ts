import { type ApiError, invalidRequest, type JsonObject, openAiUnknownModel } from '@tallyport/sandbox';
import { unknownMember } from '../compatible/refusals.ts';

/** Refuses unknown members and models that do not moderate, as OpenAI does. */
export function findUnknownModerationMember(body: JsonObject): ApiError | undefined {
  const unknown = unknownMember(body, ['model', 'input']);
  if (unknown !== undefined) return invalidRequest(`Unknown parameter: '${unknown}'.`, unknown, 'unknown_parameter');
  const model = String(body.model);
  return /moderation/.test(model) ? undefined : openAiUnknownModel(model);
}

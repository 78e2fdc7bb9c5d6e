import { type ApiError, type JsonObject, openAiUnknownModel } from '@tallyport/sandbox';
import { unknownMember } from '../refusals.ts';
import { unknownParameter } from './value-checks.ts';

/** Refuses unknown members and models that do not moderate, as OpenAI does. */
export function findUnknownModerationMember(body: JsonObject): ApiError | undefined {
  const unknown = unknownMember(body, ['model', 'input']);
  if (unknown !== undefined) return unknownParameter(unknown);
  const model = String(body.model);
  return /moderation/.test(model) ? undefined : openAiUnknownModel(model);
}

import { anthropicForm } from './anthropic-form.ts';
import { geminiForm } from './gemini-form.ts';
import type { FormOf } from '../list/model-form.ts';
import { openAiForm } from './openai-form.ts';

/** `/v1/models` belongs to three APIs. Clients of Anthropic's and Google's send a header that names their version. */
export function clientForm({ headers }: Parameters<FormOf>[0]): ReturnType<FormOf> {
  if (headers['anthropic-version'] !== undefined) return anthropicForm;
  return headers['x-goog-api-client'] === undefined ? openAiForm : geminiForm;
}

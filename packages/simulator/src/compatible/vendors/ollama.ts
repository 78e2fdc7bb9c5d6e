import { objectsOf, isObject, invalidRequest } from '@tallyport/sandbox';
import { compatibleUsage, wholeCall } from '../spelling.ts';
import type { CompatibleVendor } from '../vendor.ts';

/** Needs no key, fetches no URLs, and sends each call in one piece. */
export const ollamaVendor: CompatibleVendor = {
  id: 'ollama',
  credential: 'none',
  ownMembers: ['tool_choice', 'reasoning_effort'],
  refuse: ({ messages, model, reasoning_effort: effort }) => {
    const thinks =
      /gpt-oss|qwen3|deepseek-(r1|v3\.1)|magistral|think/.test(String(model)) && !/coder/.test(String(model));
    if (typeof effort === 'string' && effort !== 'none' && !thinks)
      return invalidRequest(`"${String(model)}" does not support thinking`, null);
    const images = objectsOf(messages)
      .flatMap(({ content }) => objectsOf(content))
      .map(({ image_url: image }) => (isObject(image) ? image.url : image))
      .filter((url) => url !== undefined);
    const remote = images.some((url) => !/^data:image\/\w+;base64,/.test(String(url)));
    return remote ? invalidRequest('invalid image input', null) : undefined;
  },
  lists: ['gpt-oss:20b', 'llama3.2:3b', 'qwen3-coder:30b', 'nomic-embed-text:latest'].map((id) => ({
    id,
    object: 'model',
    created: 1_767_225_600,
    owned_by: 'library',
  })),
  errorTexts: { 404: { message: "model 'simulated' not found", type: 'not_found_error', code: null } },
  spell: () => ({
    reasoning: 'reasoning',
    usage: compatibleUsage,
    toolDeltas: wholeCall,
    answerMembers: { system_fingerprint: 'fp_ollama' },
  }),
};

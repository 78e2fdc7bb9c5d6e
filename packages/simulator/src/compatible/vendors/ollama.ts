import { objectsOf, isObject, invalidRequest } from '@switchyard/sandbox';
import { compatibleUsage, wholeCall } from '../spelling.ts';
import type { CompatibleVendor } from '../vendor.ts';

/** Needs no key, fetches nothing, and gives each call whole. */
export const ollamaVendor: CompatibleVendor = {
  id: 'ollama',
  credential: 'none',
  ownMembers: ['tool_choice', 'reasoning_effort'],
  refuse: ({ messages }) => {
    const images = objectsOf(messages)
      .flatMap(({ content }) => objectsOf(content))
      .map(({ image_url: image }) => (isObject(image) ? image.url : image))
      .filter((url) => url !== undefined);
    const remote = images.some((url) => !/^data:image\/\w+;base64,/.test(String(url)));
    return remote ? invalidRequest('invalid image input', null) : undefined;
  },
  words: { 404: { message: "model 'simulated' not found", type: 'not_found_error', code: null } },
  spell: () => ({
    reasoning: 'reasoning',
    usage: compatibleUsage,
    toolDeltas: wholeCall,
    answerMembers: { system_fingerprint: 'fp_ollama' },
  }),
};

import type { Model } from '@tallyport/contracts';
import type { ModelForm } from '../list/model-form.ts';
import { modelsOfPage, readSize } from './page.ts';

/** A model as Google's Gemini API describes it. */
interface GeminiModel {
  name: string;
  version: string;
  displayName: string;
  description: string;
  inputTokenLimit?: number;
  outputTokenLimit?: number;
  supportedGenerationMethods: string[];
  thinking: boolean;
}

export const geminiForm: ModelForm = {
  name: 'gemini',
  readPage(query) {
    const after = query.get('pageToken');
    return { size: readSize(query, 'pageSize', 50), ...(after && { after }) };
  },
  list(models, page) {
    const { models: shown, hasMore } = modelsOfPage(models, page);
    const last = shown.at(-1);
    return JSON.stringify({ models: shown.map(geminiModel), ...(hasMore && last && { nextPageToken: last.id }) });
  },
  one: (model) => JSON.stringify(geminiModel(model)),
};

const methods = {
  chats: ['generateContent', 'streamGenerateContent', 'countTokens'],
  embeddings: ['embedContent', 'batchEmbedContents'],
};

const geminiModel = ({ id, name, description, contextLength, maxOutput, ...model }: Model): GeminiModel => ({
  name: `models/${id}`,
  version: id,
  displayName: name,
  description,
  ...(contextLength !== undefined && { inputTokenLimit: contextLength }),
  ...(maxOutput !== undefined && { outputTokenLimit: maxOutput }),
  supportedGenerationMethods: model.outputModalities.includes('embeddings') ? methods.embeddings : methods.chats,
  thinking: model.offers.some(({ reasoning }) => reasoning),
});

import type { ShownModel } from '../list/shown-model.ts';
import { modelRecord } from '../list/model-record.ts';
import type { ModelForm, ModelView } from '../list/model-form.ts';

/** OpenAI's form with our own members, without pages. */
export const openAiForm: ModelForm = {
  name: 'chat',
  readPage: () => ({}),
  list: (models, _page, view) =>
    `{"object":"list","data":[${models.map((model) => recordText(model, view)).join(',')}]}`,
  one: (model, view) => recordText(model, view),
};

const recordText = (model: ShownModel, { whyNot }: ModelView): string =>
  JSON.stringify(modelRecord(model, (offer) => whyNot(model, offer)));

import type { Model } from '@tallyport/contracts';
import { isDeprecated, isPast } from '../list/filters.ts';
import type { ModelForm, ModelView } from '../list/model-form.ts';
import { modelsOfPage, readSize } from './page.ts';

/** A model as Anthropic's API describes it. Its lines and capabilities are those of Claude, so they are unknown. */
export interface AnthropicModel {
  type: 'model';
  id: string;
  display_name: string;
  created_at: string;
  lifecycle: 'active' | 'deprecated' | 'retired';
  deprecated_at: string | null;
  retires_at: string | null;
  line: null;
  capabilities: null;
  max_input_tokens: number | null;
  max_tokens: number | null;
}

export const anthropicForm: ModelForm = {
  name: 'messages',
  readPage(query) {
    const after = query.get('after_id');
    const before = query.get('before_id');
    return { size: readSize(query, 'limit', 20), ...(after && { after }), ...(before && { before }) };
  },
  list(models, page, view) {
    const { models: shown, hasMore } = modelsOfPage(models, page);
    return JSON.stringify({
      data: shown.map((model) => modelInfo(model, view)),
      has_more: hasMore,
      first_id: shown[0]?.id ?? null,
      last_id: shown.at(-1)?.id ?? null,
    });
  },
  one: (model, view) => JSON.stringify(modelInfo(model, view)),
};

function modelInfo(model: Model, { now }: ModelView): AnthropicModel {
  const { id, name, created, contextLength, maxOutput, deprecatedAt, deactivatedAt } = model;
  const served = isDeprecated(model, now) ? 'deprecated' : 'active';
  return {
    type: 'model',
    id,
    display_name: name,
    created_at: new Date(created * 1000).toISOString(),
    lifecycle: isPast(deactivatedAt, now) ? 'retired' : served,
    deprecated_at: deprecatedAt ?? null,
    retires_at: deactivatedAt ?? null,
    line: null,
    capabilities: null,
    max_input_tokens: contextLength ?? null,
    max_tokens: maxOutput ?? null,
  };
}

import type { FieldSpec, PlaygroundKind } from '@tallyport/pages';
import type { CatalogueModel } from '../gateway/catalogue-model.ts';
import { canMake } from './address.ts';

type Choice = { value: string; text: string };

/** The models that the account can call now, by name. */
export const playgroundModels = (models: readonly CatalogueModel[], kind: PlaygroundKind): Choice[] =>
  models
    .filter((model) => canMake(model, kind))
    .map(({ id, name }) => ({ value: id, text: name }))
    .toSorted((one, other) => one.text.localeCompare(other.text, 'en'));

export function modelFields(models: readonly Choice[]): FieldSpec[] {
  const others = [{ value: '', text: 'none' }, ...models];
  const beside = { kind: 'choice', choices: others } as const;
  return [
    { name: 'model', label: 'Model', kind: 'choice', choices: models },
    { name: 'model2', label: 'Second model', ...beside },
    { name: 'model3', label: 'Third model', ...beside },
  ];
}

const promptLabels = {
  chat: 'Message',
  images: 'Describe the image',
  embeddings: 'Texts, one a line',
  speech: 'Text to speak',
} as const satisfies Record<PlaygroundKind, string>;

export const promptField = (kind: PlaygroundKind): FieldSpec => ({
  name: 'prompt',
  label: promptLabels[kind],
  kind: 'lines',
  required: true,
});

/** What the model is left to choose where it is empty. */
export const parameterFields = (kind: PlaygroundKind): readonly FieldSpec[] => parameters[kind];

const parameters: Readonly<Record<PlaygroundKind, readonly FieldSpec[]>> = {
  chat: [
    { name: 'system', label: 'System', kind: 'lines', hint: 'How the model shall behave.' },
    {
      name: 'tools',
      label: 'Tools',
      kind: 'lines',
      placeholder: '[{"type": "function", "function": {"name": "…"}}]',
      hint: 'JSON, as the API has it. Calls are shown and not made.',
    },
    { name: 'temperature', label: 'Temperature', kind: 'text', placeholder: '0.7' },
    { name: 'maxTokens', label: 'Maximum output', kind: 'number', unit: 'tokens' },
  ],
  images: [
    {
      name: 'size',
      label: 'Size',
      kind: 'text',
      placeholder: '1024x1024',
      suggestions: ['1024x1024', '1536x1024', '1024x1536'],
    },
  ],
  embeddings: [],
  speech: [
    {
      name: 'voice',
      label: 'Voice',
      kind: 'text',
      placeholder: 'alloy',
      hint: 'A name that the vendor of the model has.',
    },
  ],
};

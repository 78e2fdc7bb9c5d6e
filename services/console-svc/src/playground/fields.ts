import type { FieldSpec } from '@tallyport/pages';
import type { CatalogueModel } from '../gateway/catalogue-model.ts';
import type { PlaygroundKind } from '../gateway/gateway-api.ts';
import { canMake } from './address.ts';

type Choice = { value: string; text: string };

/** The models that the account can call now, by name. */
export const playgroundModels = (models: readonly CatalogueModel[], kind: PlaygroundKind): Choice[] =>
  models
    .filter((model) => canMake(model, kind))
    .map(({ id, name }) => ({ value: id, text: name }))
    .toSorted((one, other) => one.text.localeCompare(other.text, 'en'));

interface FieldGroup {
  title?: string;
  text?: string;
  fields: readonly FieldSpec[];
}

export const playgroundGroups = (kind: PlaygroundKind, models: readonly Choice[]): FieldGroup[] => [
  { fields: modelFields(models) },
  { fields: kind === 'chat' ? chatFields : [promptField('Describe the image')] },
  {
    title: 'Parameters',
    text: 'Empty fields are left to the model.',
    fields: kind === 'chat' ? chatParameters : imageParameters,
  },
];

function modelFields(models: readonly Choice[]): FieldSpec[] {
  const others = [{ value: '', text: 'none' }, ...models];
  const beside = { kind: 'choice', choices: others } as const;
  return [
    { name: 'model', label: 'Model', kind: 'choice', choices: models },
    { name: 'model2', label: 'Second model', ...beside },
    { name: 'model3', label: 'Third model', ...beside },
  ];
}

const promptField = (label: string): FieldSpec => ({ name: 'prompt', label, kind: 'lines', required: true });

const chatFields: readonly FieldSpec[] = [
  promptField('Message'),
  { name: 'system', label: 'System', kind: 'lines', hint: 'How the model shall behave.' },
];

const chatParameters: readonly FieldSpec[] = [
  { name: 'temperature', label: 'Temperature', kind: 'text', placeholder: '0.7' },
  { name: 'maxTokens', label: 'Longest answer', kind: 'number', unit: 'tokens' },
  {
    name: 'tools',
    label: 'Tools',
    kind: 'lines',
    placeholder: '[{"type": "function", "function": {"name": "…"}}]',
    hint: 'JSON, as the API has it. Calls are shown and not made.',
  },
];

const imageParameters: readonly FieldSpec[] = [
  {
    name: 'size',
    label: 'Size',
    kind: 'text',
    placeholder: '1024x1024',
    suggestions: ['1024x1024', '1536x1024', '1024x1536'],
  },
];

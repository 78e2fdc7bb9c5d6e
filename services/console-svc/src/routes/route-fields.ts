import type { Route } from '@tallyport/contracts';
import { type FieldSpec, type FieldValues, fieldValues, inputOf, problemAt } from '@tallyport/pages';

export const nameField: FieldSpec = {
  name: 'name',
  label: 'Name',
  kind: 'text',
  required: true,
  placeholder: 'fast',
  hint: 'Clients send it as the model. It wins over a model of the same name.',
};

const descriptionField: FieldSpec = { name: 'description', label: 'Description', kind: 'text' };

const targetsField: FieldSpec = {
  name: 'targets',
  label: 'Targets',
  kind: 'lines',
  required: true,
  placeholder: 'gpt-5.4-mini 90',
  hint: 'One per line: a model and its weight; 1 without one. A conversation stays with its target.',
};

const thenField: FieldSpec = {
  name: 'then',
  label: 'Then',
  kind: 'lines',
  hint: 'Models asked in this order after all targets have failed, one per line.',
};

const conditionsField: FieldSpec = {
  name: 'when',
  label: 'Conditions',
  kind: 'document',
  placeholder: 'gemini-3.5-flash if request.tokens > 100000',
  hint: 'One per line: models separated by commas, if, and an expression of CEL. The first that is true decides in place of the weights.',
};

const contentFilterField: FieldSpec = {
  name: 'onContentFilter',
  label: 'If a content filter refuses',
  kind: 'choice',
  choices: [
    { value: 'stop', text: 'return the refusal' },
    { value: 'next', text: 'ask the next model' },
  ],
};

const shadowModel = 'shadow.model';

const shadowFields: readonly FieldSpec[] = [
  { name: shadowModel, label: 'Model', kind: 'text' },
  { name: 'shadow.percent', label: 'Share', kind: 'number', unit: '%', decimals: true, onlyWith: shadowModel },
  {
    name: 'shadow.project',
    label: 'Project that pays',
    kind: 'text',
    onlyWith: shadowModel,
  },
];

const plainFields = [descriptionField, thenField, contentFilterField, ...shadowFields];

export const routeGroups = ({ isNew }: { isNew: boolean }) => [
  {
    fields: [
      ...(isNew ? [nameField] : []),
      descriptionField,
      targetsField,
      thenField,
      conditionsField,
      contentFilterField,
    ],
  },
  {
    title: 'Shadow',
    text: 'A share of the requests is sent to a second model as well, whose answers are thrown away.',
    fields: shadowFields,
  },
];

/** The posted fields as the input of `putRoute`, without the name. */
export const routeInput = (fields: FieldValues): object => ({
  ...inputOf(plainFields, fields),
  targets: linesIn('targets', fields).map(targetOf),
  when: linesIn('when', fields).map(conditionOf),
});

export const routeValues = (route: Route): FieldValues => ({
  ...fieldValues(plainFields, route),
  targets: route.targets.map(({ model, weight }) => `${model} ${weight}`).join('\n'),
  when: route.when.map((condition) => `${condition.use.join(', ')} if ${oneLine(condition.if)}`).join('\n'),
});

/** A line of the form holds a whole condition. */
const oneLine = (text: string): string => text.replaceAll(/\s*\n\s*/g, ' ');

interface FormLine {
  /** The path of the entry in the route, whose index is that of the line. */
  param: string;
  text: string;
}

/** Empty lines count only between others, so that the place of a problem is that of its line. */
function linesIn(name: string, fields: FieldValues): FormLine[] {
  const text = (fields[name] ?? '').trim();
  if (text === '' && name === targetsField.name) throw problemAt(name, 'This field is required.');
  const lines = text === '' ? [] : text.split('\n');
  return lines.map((line, at) => ({ param: `${name}[${at}]`, text: line.trim() }));
}

function targetOf({ param, text }: FormLine): object {
  const [, model, weight] = /^(\S+)(?:\s+(\d{1,9}(?:\.\d{1,9})?))?$/.exec(text) ?? [];
  if (model === undefined) throw problemAt(param, 'must be a model and its weight, for example gpt-5.4-mini 90');
  return { model, ...(weight !== undefined && { weight: Number(weight) }) };
}

function conditionOf({ param, text }: FormLine): object {
  const [, models = '', condition] = /^([^\s,]+(?:\s*,\s*[^\s,]+)*)\s+if\s+(.+)$/.exec(text) ?? [];
  if (condition === undefined)
    throw problemAt(param, 'must be models, if, and an expression, for example gpt-5.4 if request.tokens > 1000');
  return { if: condition, use: models.split(',').map((model) => model.trim()) };
}

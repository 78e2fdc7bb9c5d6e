import type { FieldSpec, FormPart } from '@tallyport/pages';

export const limitFields: readonly FieldSpec[] = [
  ...(['chat', 'images', 'models', 'mcp'] as const).map((kind): FieldSpec => ({
    name: `limits.requestsPerMinute.${kind}`,
    label: { chat: 'Chat requests', images: 'Image requests', models: 'Model lists', mcp: 'MCP requests' }[kind],
    kind: 'number',
    unit: 'per minute',
  })),
  {
    name: 'limits.tokensPerMinute',
    label: 'Tokens',
    kind: 'number',
    unit: 'per minute',
  },
  {
    name: 'limits.concurrency',
    label: 'Concurrent requests',
    kind: 'number',
  },
];

export const limitsText = 'Leave empty for the operator’s default; 0 means no limit.';

/** The operator's limits by the name of their field. */
export type LimitDefaults = Readonly<Record<string, number>>;

export const defaultText = (limit: number | undefined): string =>
  limit === undefined || limit === 0 ? 'no limit (default)' : `${limit} (default)`;

/** Shows the operator's limits in the empty fields. */
export const withDefaults = (groups: FormPart['groups'], defaults: LimitDefaults): FormPart['groups'] =>
  groups.map(({ fields, ...group }) => ({
    ...group,
    fields: fields.map((field) =>
      field.name in defaults ? { ...field, placeholder: defaultText(defaults[field.name]) } : field,
    ),
  }));

export const budgetFields: readonly FieldSpec[] = [
  {
    name: 'budget.amount',
    label: 'Amount',
    kind: 'text',
    unit: 'USD',
    placeholder: 'no budget',
    hint: 'Requests are refused with 402 once the budget is spent.',
  },
  {
    name: 'budget.period',
    label: 'Period',
    kind: 'choice',
    onlyWith: 'budget.amount',
    initial: 'month',
    choices: [
      { value: 'day', text: 'per day' },
      { value: 'week', text: 'per week' },
      { value: 'month', text: 'per month' },
      { value: 'total', text: 'in total' },
    ],
  },
];

export const cacheField: FieldSpec = {
  name: 'cacheTtlSeconds',
  label: 'Cache responses for',
  kind: 'number',
  unit: 'seconds',
  hint: '0 disables the cache; otherwise 10 to 31536000 (a year). Identical requests get the cached response at no cost.',
};

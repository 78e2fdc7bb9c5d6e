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

interface BudgetText {
  label: string;
  placeholder: string;
  hint: string;
}

const budgetPair = (name: 'budget' | 'endUserBudget', text: BudgetText): readonly FieldSpec[] => [
  { name: `${name}.amount`, kind: 'text', unit: 'USD', ...text },
  {
    name: `${name}.period`,
    label: 'Period',
    kind: 'choice',
    onlyWith: `${name}.amount`,
    initial: 'month',
    choices: [
      { value: 'day', text: 'per day' },
      { value: 'week', text: 'per week' },
      { value: 'month', text: 'per month' },
      { value: 'total', text: 'in total' },
    ],
  },
];

export const budgetFields = budgetPair('budget', {
  label: 'Amount',
  placeholder: 'no budget',
  hint: 'Requests are refused with 402 once the budget is spent.',
});

export const endUserBudgetFields = budgetPair('endUserBudget', {
  label: 'Each end user may spend',
  placeholder: 'no budget per end user',
  hint: 'Requests name theirs with the header x-end-user or the member user. Those that name none share one budget.',
});

/** Of a key, or of all keys of a project. */
export const tiersField: FieldSpec = {
  name: 'allowedTiers',
  label: 'Service tiers',
  kind: 'lines',
  placeholder: 'all tiers',
  hint: 'Besides the standard one, one per line: flex, priority, fast. Requests for others are refused.',
};

export const cacheField: FieldSpec = {
  name: 'cacheTtlSeconds',
  label: 'Cache responses for',
  kind: 'number',
  unit: 'seconds',
  hint: '0 disables the cache; otherwise 10 to 31536000 (a year). Identical requests get the cached response at no cost.',
};

/** A key without a choice follows its account. */
export const promptCachingField = (holder: 'account' | 'key'): FieldSpec => ({
  name: 'promptCaching',
  label: 'Mark prompts for vendors’ caches',
  kind: 'choice',
  choices: [
    ...(holder === 'key' ? [{ value: '', text: 'as the account' }] : []),
    { value: 'off', text: 'never' },
    { value: 'auto', text: 'automatically' },
  ],
  hint: 'For vendors that cache only what is marked, such as Anthropic. Requests with marks of their own stay as they are.',
});

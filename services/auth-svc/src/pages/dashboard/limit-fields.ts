import type { FieldSpec } from './field-spec.ts';

export const limitFields: readonly FieldSpec[] = [
  ...(['chat', 'images', 'models', 'mcp'] as const).map((kind): FieldSpec => ({
    name: `limits.requestsPerMinute.${kind}`,
    label: { chat: 'Chat requests', images: 'Image requests', models: 'Model lists', mcp: 'MCP requests' }[kind],
    kind: 'number',
    unit: 'a minute',
    placeholder: 'as the operator set it',
  })),
  {
    name: 'limits.tokensPerMinute',
    label: 'Tokens',
    kind: 'number',
    unit: 'a minute',
    placeholder: 'as the operator set it',
  },
  {
    name: 'limits.concurrency',
    label: 'Requests at once',
    kind: 'number',
    placeholder: 'as the operator set it',
  },
];

export const limitsText = 'Empty: what the operator of the gateway has set. 0: no limit.';

export const budgetFields: readonly FieldSpec[] = [
  {
    name: 'budget.amount',
    label: 'Amount',
    kind: 'text',
    unit: 'USD',
    placeholder: 'no budget',
    hint: 'Requests are refused with 402 when it is spent.',
  },
  {
    name: 'budget.period',
    label: 'Period',
    kind: 'choice',
    onlyWith: 'budget.amount',
    initial: 'month',
    choices: [
      { value: 'day', text: 'each day' },
      { value: 'week', text: 'each week' },
      { value: 'month', text: 'each month' },
      { value: 'total', text: 'altogether' },
    ],
  },
];

export const cacheField: FieldSpec = {
  name: 'cacheTtlSeconds',
  label: 'Cache answers for',
  kind: 'number',
  unit: 'seconds',
  hint: '0 never, or 10 seconds to a year (31536000). Identical requests get the stored answer for nothing.',
};

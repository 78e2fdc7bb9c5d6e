import {
  countFields,
  namesOf,
  outcomeFields,
  requestFields,
  type TokenClass,
  tokenClasses,
  tokenFields,
  type UsageField,
  type UsageRecord,
} from '@switchyard/contracts';

export interface UsageColumn extends Pick<UsageField, 'name' | 'type' | 'summed' | 'csv'> {
  valueIn(record: UsageRecord): unknown;
}

export const tokenColumn = (name: TokenClass): string => `${tokenFields[name].name}_tokens`;

/** How the ledger keeps a record: one column for each field and each class of tokens. */
export const usageColumns: readonly UsageColumn[] = [
  ...columnsOf(requestFields),
  ...tokenClasses.map((name): UsageColumn => ({
    name: tokenColumn(name),
    type: 'bigint',
    summed: true,
    valueIn: ({ tokens }) => tokens[name],
  })),
  ...columnsOf(countFields),
  ...columnsOf(outcomeFields),
];

function columnsOf<Name extends keyof UsageRecord>(fields: Readonly<Record<Name, UsageField>>): UsageColumn[] {
  return namesOf(fields).map((field) => {
    const { absent, ...column }: UsageField = fields[field];
    return { ...column, valueIn: (record) => record[field] ?? absent ?? null };
  });
}

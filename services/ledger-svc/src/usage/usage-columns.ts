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
} from '@tallyport/contracts';

export interface UsageColumn extends Pick<UsageField, 'name' | 'type' | 'summed' | 'csv'> {
  valueIn(record: UsageRecord): unknown;
}

export const tokenColumn = (name: TokenClass): string => `${tokenFields[name].name}_tokens`;

/** All tokens of a record, as SQL. */
export const allTokens = tokenClasses.map(tokenColumn).join(' + ');

/** The columns of a record: one for each field and each class of tokens. */
export const usageColumns: readonly UsageColumn[] = [
  ...columnsOf(requestFields),
  ...tokenClasses.map((name) => countColumn(tokenColumn(name), ({ tokens }) => tokens[name])),
  ...namesOf(countFields).map((name) => countColumn(countFields[name].name, (record) => record[name] ?? 0)),
  ...columnsOf(outcomeFields),
];

function countColumn(name: string, valueIn: UsageColumn['valueIn']): UsageColumn {
  return { name, type: 'bigint', summed: true, valueIn };
}

function columnsOf<Name extends keyof UsageRecord>(fields: Readonly<Record<Name, UsageField>>): UsageColumn[] {
  return namesOf(fields).map((field) => {
    const { absent, ...column }: UsageField = fields[field];
    return { ...column, valueIn: (record) => record[field] ?? absent ?? null };
  });
}

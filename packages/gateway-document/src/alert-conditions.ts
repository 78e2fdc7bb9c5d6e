import type { AlertCondition } from '@switchyard/management';
import type { NamedAlertCondition } from './document.ts';

/** The name of the key in a condition of the document. */
export function keyNamedBy(condition: NamedAlertCondition): string | undefined {
  if (condition.type === 'budget') return condition.name;
  return condition.type === 'key_expiry' ? condition.key : undefined;
}

/** The condition of the API, with the id of the key that the document names. */
export function withId(condition: NamedAlertCondition, id: string | undefined): AlertCondition {
  if (condition.type === 'budget') {
    const { name: _name, ...budget } = condition;
    return { ...budget, ...(id !== undefined && { id }) };
  }
  if (condition.type !== 'key_expiry') return condition;
  const { key: _key, ...expiry } = condition;
  return { ...expiry, ...(id !== undefined && { key: id }) };
}

/** The condition as a document would have it. A key that no longer exists keeps its id. */
export function withName(condition: AlertCondition, nameOf: (id: string) => string | undefined): object {
  if (condition.type === 'budget') {
    const { id, ...budget } = condition;
    return { ...budget, ...(id !== undefined && { name: nameOf(id) ?? id }) };
  }
  if (condition.type !== 'key_expiry' || condition.key === undefined) return condition;
  return { ...condition, key: nameOf(condition.key) ?? condition.key };
}

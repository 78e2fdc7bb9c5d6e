import type { AlertCondition } from '@tallyport/management';
import type { NamedAlertCondition } from './document.ts';

/** What a condition of the document names where the API has an id. */
export interface NamedSubject {
  kind: 'key' | 'project';
  name: string;
}

export function subjectNamedBy(condition: NamedAlertCondition): NamedSubject | undefined {
  if (condition.type === 'budget') {
    const { scope, name } = condition;
    return name === undefined || scope === 'account' ? undefined : { kind: scope, name };
  }
  if (condition.type !== 'key_expiry' || condition.key === undefined) return undefined;
  return { kind: 'key', name: condition.key };
}

/** The condition of the API, with the id of what the document names. */
export function withId(condition: NamedAlertCondition, id: string | undefined): AlertCondition {
  if (condition.type === 'budget') {
    const { name: _name, ...budget } = condition;
    return { ...budget, ...(id !== undefined && { id }) };
  }
  if (condition.type !== 'key_expiry') return condition;
  const { key: _key, ...expiry } = condition;
  return { ...expiry, ...(id !== undefined && { key: id }) };
}

/** The condition as a document would have it. What no longer exists keeps its id. */
export function withName(condition: AlertCondition, nameOf: (id: string) => string | undefined): object {
  if (condition.type === 'budget') {
    const { id, ...budget } = condition;
    return { ...budget, ...(id !== undefined && { name: nameOf(id) ?? id }) };
  }
  if (condition.type !== 'key_expiry' || condition.key === undefined) return condition;
  return { ...condition, key: nameOf(condition.key) ?? condition.key };
}

import type { AlertCondition } from '@tallyport/management';
import type { NamedAlertCondition } from './document.ts';

/** What a condition of the document names where the API has an id. */
export interface NamedSubject {
  kind: 'key' | 'project';
  name: string;
  /** The member with the name. */
  member: 'name' | 'key';
}

export function subjectNamedBy(condition: NamedAlertCondition): NamedSubject | undefined {
  if ('scope' in condition) {
    const { scope, name } = condition;
    return name === undefined || scope === 'account' ? undefined : { kind: scope, name, member: 'name' };
  }
  if (!('key' in condition) || condition.key === undefined) return undefined;
  return { kind: 'key', name: condition.key, member: 'key' };
}

/** The condition of the API, with the id of what the document names. */
export function withId(condition: NamedAlertCondition, id: string | undefined): AlertCondition {
  if ('scope' in condition) {
    const { name: _name, ...others } = condition;
    return { ...others, ...(id !== undefined && { id }) };
  }
  if (!('key' in condition)) return condition;
  const { key: _key, ...others } = condition;
  return { ...others, ...(id !== undefined && { key: id }) };
}

/** The condition as a document would have it. What no longer exists keeps its id. */
export function withName(condition: AlertCondition, nameOf: (id: string) => string | undefined): object {
  if ('scope' in condition) {
    const { id, ...others } = condition;
    return { ...others, ...(id !== undefined && { name: nameOf(id) ?? id }) };
  }
  if (!('key' in condition) || condition.key === undefined) return condition;
  return { ...condition, key: nameOf(condition.key) ?? condition.key };
}

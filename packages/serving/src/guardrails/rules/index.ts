export { redactByRules } from './redact-by-rules.ts';
export { RuleThreads } from './rule-threads.ts';

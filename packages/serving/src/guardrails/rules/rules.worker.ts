import { parentPort } from 'node:worker_threads';
import { createGuards, RuleTime } from '@tallyport/guardrails';
import { redactWork } from './redact-work.ts';
import type { RuleWork } from './rule-messages.ts';

/** For one request or answer. */
const mostMs = 2_000;

// Started as a thread by rule-thread.ts.
const guards = createGuards(100);
parentPort?.on('message', (work: RuleWork) => {
  parentPort?.postMessage(redactWork(work, guards(work.policies), new RuleTime({ mostMs })));
});

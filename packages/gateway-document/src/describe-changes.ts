import type { SettingChange, PlanStep } from './plan-step.ts';

interface DescribedChanges {
  steps: readonly PlanStep[];
  /** What exists but is not in the document, and stays. */
  kept: readonly PlanStep[];
  unchanged: number;
}

/** The plan in plain words, by account. It contains no secrets. */
export function describeChanges({ steps, kept, unchanged }: DescribedChanges): string {
  const accounts = [...new Set([...steps, ...kept].map(({ account }) => account))];
  const blocks = accounts.map((account) =>
    [
      `account ${account}`,
      ...steps.filter((step) => step.account === account).map((step) => `  ${describeStep(step)}`),
      ...kept
        .filter((step) => step.account === account)
        .map(({ subject }) => `  keep    ${subject}, not in the document`),
    ].join('\n'),
  );
  return `${[...blocks, summary(steps, unchanged)].join('\n\n')}\n`;
}

export function describeStep({ action, subject, changes }: PlanStep): string {
  const details = changes.map((change) => (action === 'create' ? ofNew(change) : ofChange(change)));
  return `${action.padEnd(7)} ${subject}${details.length === 0 ? '' : `: ${details.join(', ')}`}`;
}

const ofNew = ({ name, to }: SettingChange): string => `${name} ${textOf(to)}`;

const ofChange = ({ name, from, to }: SettingChange): string => `${name} ${textOf(from)} → ${textOf(to)}`;

function textOf(value: unknown): string {
  if (value === undefined) return 'none';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function summary(steps: readonly PlanStep[], unchanged: number): string {
  if (steps.length === 0) return 'Nothing to change.';
  const count = (action: PlanStep['action']) => steps.filter((step) => step.action === action).length;
  return `${count('create')} to create, ${count('change')} to change, ${count('delete')} to delete, ${unchanged} unchanged.`;
}

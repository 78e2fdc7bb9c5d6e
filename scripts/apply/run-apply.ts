import { readFile } from 'node:fs/promises';
import {
  ApplyError,
  applySteps,
  describeChanges,
  describeStep,
  type PreparedPlan,
  preparePlan,
  readGatewayDocument,
  type PlanStep,
} from '@tallyport/gateway-document';
import { recognisablePart } from '@tallyport/contracts';
import { httpCalls } from './http-calls.ts';
import type { ApplyOptions } from './options.ts';
import { secretReader } from './read-secret.ts';
import { createSecretsFile, type SecretsFile } from './secrets-file.ts';

export interface Surroundings {
  out(text: string): void;
  problem(text: string): void;
  environment: Readonly<Record<string, string | undefined>>;
}

const changesFound = 2;

/** Plans or applies the document and returns the exit code. */
export async function runApply(options: ApplyOptions, surroundings: Surroundings): Promise<number> {
  try {
    const prepared = await prepare(options, surroundings);
    surroundings.out(describeChanges(prepared));
    if (options.plan) return prepared.steps.length === 0 ? 0 : changesFound;
    if (prepared.steps.length > 0) await apply(prepared, options, surroundings);
    return 0;
  } catch (error) {
    surroundings.problem(`${error instanceof ApplyError ? explain(error) : messageOf(error)}\n`);
    return 1;
  }
}

async function prepare(options: ApplyOptions, { environment }: Surroundings): Promise<PreparedPlan> {
  const { file, key, prune } = options;
  const text = await readFile(file, 'utf8').catch((cause: unknown) => {
    throw new Error(`${file} cannot be read. Check the path of the document.`, { cause });
  });
  return preparePlan(readGatewayDocument(file, text), {
    manage: httpCalls(options),
    readSecret: secretReader(file, environment),
    prune,
    // The key that applies the document must not end itself.
    isProtected: ({ prefix }) => prefix === recognisablePart(key),
  });
}

async function apply({ steps, accountIds }: PreparedPlan, options: ApplyOptions, { out }: Surroundings): Promise<void> {
  const secrets = await placeForSecrets(steps, options.secretsTo);
  out('\n');
  try {
    await applySteps(
      steps,
      { manage: httpCalls(options), accountIds },
      { onDone: (step) => out(`done    ${placeOf(step)}\n`), onSecret: async (secret) => secrets?.add(secret) },
    );
  } finally {
    await secrets?.close();
  }
}

/** A secret that the API shows only once must have a place before it is created. */
async function placeForSecrets(steps: readonly PlanStep[], path: string | undefined): Promise<SecretsFile | undefined> {
  const count = steps.filter(({ returns }) => returns !== undefined).length;
  if (count === 0) return undefined;
  if (path !== undefined) return createSecretsFile(path);
  throw new Error(
    `Nothing was changed: new keys, client secrets and invitation links (${count} here) are shown only once. Name a new file for them: --secrets-to secrets.yaml`,
  );
}

function explain({ message, failed, left }: ApplyError): string {
  const rest = left.map((step) => `not done ${placeOf(step)}`);
  return [
    `failed  ${placeOf(failed)}: ${message}`,
    ...rest,
    'Correct the cause and apply again: it continues here.',
  ].join('\n');
}

const placeOf = (step: PlanStep): string => `${step.account}: ${describeStep({ ...step, changes: [] })}`;

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

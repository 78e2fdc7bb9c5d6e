import { readFile } from 'node:fs/promises';
import {
  ApplyError,
  applySteps,
  describeChanges,
  describeStep,
  type NewSecret,
  type PreparedPlan,
  preparePlan,
  readGatewayDocument,
  type PlanStep,
} from '@tallyport/gateway-document';
import { recognisablePart } from '@tallyport/contracts';
import { CallError, httpCalls } from './http-calls.ts';
import type { ApplyOptions } from './options.ts';
import { secretReader } from './read-secret.ts';
import { createSecretsFile, type SecretsFile } from './secrets-file.ts';

export interface Surroundings {
  out(text: string): void;
  problem(text: string): void;
  environment: Readonly<Record<string, string | undefined>>;
}

const changesFound = 2;
/** Other changes get between as often as a step is refused; each plan that is refused so had a new one before it. */
const mostPlans = 20;

/** Plans or applies the document and returns the exit code. */
export async function runApply(options: ApplyOptions, surroundings: Surroundings): Promise<number> {
  const secrets = placeForSecrets(options.secretsTo);
  try {
    if (options.plan) return await showPlan(options, surroundings);
    await applyPlans(options, secrets, surroundings);
    return 0;
  } catch (error) {
    surroundings.problem(`${error instanceof ApplyError ? explain(error) : messageOf(error)}\n`);
    return 1;
  } finally {
    await secrets.close();
  }
}

async function showPlan(options: ApplyOptions, surroundings: Surroundings): Promise<number> {
  const { prepared, revision } = await prepare(options, surroundings);
  surroundings.out(describeChanges(prepared));
  if (prepared.steps.length === 0) return 0;
  surroundings.out(`To apply exactly this plan: --revision ${revision}\n`);
  return changesFound;
}

/** A plan that another change has made old is made again, unless a person has looked at it. */
async function applyPlans(options: ApplyOptions, secrets: Secrets, surroundings: Surroundings): Promise<void> {
  for (let plans = 1; ; plans++) {
    const { prepared, revision } = await prepare(options, surroundings);
    surroundings.out(describeChanges(prepared));
    try {
      return await apply(
        prepared,
        { ...options, revision: options.revision ?? revision },
        { secrets, ...surroundings },
      );
    } catch (error) {
      if (!isOutdated(error) || options.revision !== undefined || plans === mostPlans) throw error;
      surroundings.out('\nAccounts have changed since this was planned. Planned again:\n\n');
    }
  }
}

const isOutdated = (error: unknown): boolean =>
  error instanceof ApplyError && error.cause instanceof CallError && error.cause.isOutdated;

interface RevisionPlan {
  prepared: PreparedPlan;
  /** Of the state that was read, or of an earlier one. */
  revision: string;
}

async function prepare(options: ApplyOptions, { environment }: Surroundings): Promise<RevisionPlan> {
  const { file, key, prune } = options;
  const text = await readFile(file, 'utf8').catch((cause: unknown) => {
    throw new Error(`${file} cannot be read. Check the path of the document.`, { cause });
  });
  const read = readGatewayDocument(file, text);
  const manage = httpCalls({ url: options.url, key });
  const { revision } = await manage('readRevision', {});
  const prepared = await preparePlan(read, {
    manage,
    readSecret: secretReader(file, environment),
    prune,
    // The key that applies the document must not end itself.
    isProtected: ({ prefix }) => prefix === recognisablePart(key),
  });
  return { prepared, revision };
}

interface ApplyTools extends Pick<Surroundings, 'out'> {
  secrets: Secrets;
}

async function apply(
  { steps, accountIds }: PreparedPlan,
  { url, key, revision }: ApplyOptions,
  { secrets, out }: ApplyTools,
): Promise<void> {
  if (steps.length === 0) return;
  await secrets.open(steps);
  out('\n');
  await applySteps(
    steps,
    { manage: httpCalls({ url, key, ...(revision !== undefined && { revision }) }), accountIds },
    { onDone: (step) => out(`done    ${placeOf(step)}\n`), onSecret: secrets.add },
  );
}

interface Secrets {
  /** Throws if steps return secrets that have no place. */
  open(steps: readonly PlanStep[]): Promise<void>;
  add(secret: NewSecret): Promise<void>;
  close(): Promise<void>;
}

/** A secret that the API shows only once must have a place before it is created. */
function placeForSecrets(path: string | undefined): Secrets {
  let file: SecretsFile | undefined;
  return {
    async open(steps) {
      const count = steps.filter(({ returns }) => returns !== undefined).length;
      if (count === 0 || file !== undefined) return;
      if (path === undefined) throw noPlace(count);
      file = await createSecretsFile(path);
    },
    add: async (secret) => file?.add(secret),
    close: async () => file?.close(),
  };
}

const noPlace = (count: number): Error =>
  new Error(
    `Nothing was changed: new keys, client secrets and invitation links (${count} here) are shown only once. Name a new file for them: --secrets-to secrets.yaml`,
  );

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

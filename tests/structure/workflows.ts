import { readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { join } from 'node:path';
import { parse } from 'yaml';
import { z } from 'zod';
import { readAll, root } from './sources.ts';

const accessSchema = z.record(z.string(), z.enum(['read', 'write', 'none']));
const stepSchema = z.object({
  uses: z.string().optional(),
  run: z.string().optional(),
  with: z.record(z.string(), z.unknown()).default({}),
});
const jobSchema = z.object({
  'timeout-minutes': z.number().optional(),
  permissions: accessSchema.optional(),
  strategy: z.object({ matrix: z.record(z.string(), z.array(z.unknown())) }).optional(),
  steps: z.array(stepSchema),
});
const workflowSchema = z.object({
  permissions: accessSchema.optional(),
  concurrency: z.object({ group: z.string() }).loose().optional(),
  jobs: z.record(z.string(), jobSchema),
});

export type Job = z.infer<typeof jobSchema>;

export interface Workflow extends z.infer<typeof workflowSchema> {
  path: string;
  text: string;
}

export const workflows = (): readonly Workflow[] =>
  readAll('.github/workflows/*').map(({ path, text }) => ({ path, text, ...workflowSchema.parse(parse(text)) }));

/** What GitHub would reject in a workflow: members, values and expressions that it does not know. */
export async function problemsOf(path: string, content = readFileSync(join(root, path), 'utf8')): Promise<string[]> {
  const { NoOperationTraceWriter, parseWorkflow } = await loadParser();
  const { context } = parseWorkflow({ name: path, content }, new NoOperationTraceWriter());
  return context.errors.getErrors().map(({ message }) => message);
}

/** The parser imports its schema as bundlers do, without the attribute that Node needs. */
async function loadParser() {
  const hooks = registerHooks({
    load: (url, context, next) =>
      next(url, url.endsWith('.min.json') ? { ...context, importAttributes: { type: 'json' } } : context),
  });
  try {
    return await import('@actions/workflow-parser');
  } finally {
    hooks.deregister();
  }
}

import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';
import { z } from 'zod';
import { dashboards } from '../../deploy/observability/generated.ts';

const prometheusFolder = fileURLToPath(new URL('../../deploy/observability/prometheus', import.meta.url));
export const ruleFiles = ['recording', 'alerts'].map((name) => `${prometheusFolder}/rules/${name}.yaml`);
export const ruleTests = ['providers', 'gateway', 'fleet'].map((name) => `${prometheusFolder}/tests/${name}.yaml`);

const rulesSchema = z.object({
  groups: z.array(
    z.object({
      rules: z.array(
        z.object({ record: z.string().optional(), alert: z.string().optional(), expr: z.string() }).loose(),
      ),
    }),
  ),
});

export const readYaml = (path: string): unknown => parse(readFileSync(path, 'utf8'));

export const rules = ruleFiles.flatMap((path) =>
  rulesSchema.parse(readYaml(path)).groups.flatMap((group) => group.rules),
);
export const recorded: ReadonlySet<string> = new Set(rules.flatMap(({ record }) => record ?? []));

const autoscalerSchema = z.object({
  spec: z.object({
    metrics: z.array(z.object({ pods: z.object({ metric: z.object({ name: z.string() }) }).optional() })),
  }),
});
const kubernetesBase = fileURLToPath(new URL('../../deploy/k8s/base', import.meta.url));

/** The metrics of pods by which the autoscalers of all services scale. */
export const autoscalerMetrics: readonly string[] = globSync(`${kubernetesBase}/*/autoscaler.yaml`)
  .flatMap((path) => autoscalerSchema.parse(readYaml(path)).spec.metrics)
  .flatMap(({ pods }) => pods?.metric.name ?? [])
  .toSorted();

interface PanelQuery {
  panel: string;
  expr: string;
}

/** The queries of all panels, with every variable set to "All". */
export const panelQueries: readonly PanelQuery[] = dashboards.flatMap(({ title, rows }) =>
  rows.flatMap(({ panels }) =>
    panels.flatMap(({ title: panel, queries }) =>
      queries.map(({ expr }) => ({ panel: `${title} / ${panel}`, expr: asAll(expr) })),
    ),
  ),
);

/** The names of metrics in an expression: ours, those of the GenAI conventions, of Node and of the process. */
export function metricsIn(expr: string): string[] {
  return expr.match(/(?<![\w:])(?:up\b|(?:gateway|gen_ai|nodejs|process)_\w+|[a-z_]+:[\w:]+)/g) ?? [];
}

function asAll(expr: string): string {
  return expr.replaceAll('$__rate_interval', '1m').replaceAll(/"\$(provider|model|route|job)"/g, '".*"');
}

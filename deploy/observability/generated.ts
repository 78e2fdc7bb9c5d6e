import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parse, stringify } from 'yaml';
import { fleet } from './dashboards/fleet.ts';
import { gateway } from './dashboards/gateway.ts';
import { money } from './dashboards/money.ts';
import { providers } from './dashboards/providers.ts';
import { render } from './dashboards/render.ts';

export const dashboards = [providers, gateway, money, fleet] as const;

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
const ruleFiles = ['recording', 'alerts'] as const;

/** Paths and texts of all generated files. */
export function generated(): ReadonlyMap<string, string> {
  const files = new Map<string, string>();
  for (const dashboard of dashboards) {
    files.set(here(`grafana/dashboards/${dashboard.id}.json`), `${JSON.stringify(render(dashboard), null, 2)}\n`);
  }
  files.set(here('kubernetes/prometheus-rule.yaml'), prometheusRule());
  return files;
}

/** The same rules for the Prometheus operator. */
function prometheusRule(): string {
  const groups = ruleFiles.flatMap((name) => parse(readFileSync(here(`prometheus/rules/${name}.yaml`), 'utf8')).groups);
  const resource = {
    apiVersion: 'monitoring.coreos.com/v1',
    kind: 'PrometheusRule',
    metadata: { name: 'switchyard', labels: { 'app.kubernetes.io/part-of': 'switchyard' } },
    spec: { groups },
  };
  const origin = '# Made from ../prometheus/rules by generate.ts.\n';
  return origin + stringify(resource, { lineWidth: 120 });
}

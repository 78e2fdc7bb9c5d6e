import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parse, stringify } from 'yaml';
import { fleet } from './dashboards/fleet.ts';
import { gateway } from './dashboards/gateway.ts';
import { money } from './dashboards/money.ts';
import { providers } from './dashboards/providers.ts';
import { render } from './dashboards/render.ts';

export const dashboards = [providers, gateway, money, fleet] as const;

const pathOf = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
const ruleFiles = ['recording', 'alerts'] as const;

/** All generated files: their contents by path. */
export function generated(): ReadonlyMap<string, string> {
  const files = new Map<string, string>();
  for (const dashboard of dashboards) {
    files.set(pathOf(`grafana/dashboards/${dashboard.id}.json`), `${JSON.stringify(render(dashboard), null, 2)}\n`);
  }
  files.set(pathOf('kubernetes/prometheus-rule.yaml'), prometheusRule());
  return files;
}

/** The same rules for the Prometheus operator. */
function prometheusRule(): string {
  const groups = ruleFiles.flatMap(
    (name) => parse(readFileSync(pathOf(`prometheus/rules/${name}.yaml`), 'utf8')).groups,
  );
  const resource = {
    apiVersion: 'monitoring.coreos.com/v1',
    kind: 'PrometheusRule',
    metadata: { name: 'tallyport', labels: { 'app.kubernetes.io/part-of': 'tallyport' } },
    spec: { groups },
  };
  const origin = '# Generated from ../prometheus/rules by generate.ts.\n';
  return origin + stringify(resource, { lineWidth: 120 });
}

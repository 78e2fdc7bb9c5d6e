import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { generated } from '../../deploy/observability/generated.ts';
import { testProgram } from '../support/test-programs.ts';
import {
  autoscalerMetrics,
  metricsIn,
  panelQueries,
  readYaml,
  recorded,
  ruleFiles,
  rules,
  ruleTests,
} from './files.ts';

const run = promisify(execFile);
const alertTests = z.object({
  tests: z.array(
    z.object({
      alert_rule_test: z.array(z.object({ alertname: z.string(), exp_alerts: z.array(z.unknown()) })).default([]),
    }),
  ),
});

test('Prometheus accepts the rules, and their tests pass', async () => {
  const promtool = await testProgram('promtool');
  await run(promtool, ['check', 'rules', ...ruleFiles]);
  const { stdout } = await run(promtool, ['test', 'rules', ...ruleTests]);
  expect(stdout.match(/SUCCESS/g)).toHaveLength(ruleTests.length);
});

test('every alert has a test in which it fires', () => {
  const tests = ruleTests.flatMap((path) => alertTests.parse(readYaml(path)).tests);
  const fired = tests.flatMap(({ alert_rule_test: cases }) =>
    cases.flatMap(({ alertname, exp_alerts: expected }) => (expected.length > 0 ? [alertname] : [])),
  );
  expect(rules.flatMap(({ alert }) => alert ?? []).filter((alert) => !fired.includes(alert))).toEqual([]);
});

test('recording rules used by rules and panels exist', () => {
  const expressions = [...rules, ...panelQueries].map(({ expr }) => expr);
  const levels = expressions.flatMap(metricsIn).filter((name) => name.includes(':'));
  expect(levels.length).toBeGreaterThan(20);
  expect(levels.filter((name) => !recorded.has(name))).toEqual([]);
});

test('dashboards and the rules for Kubernetes are current; otherwise run node deploy/observability/generate.ts', () => {
  const stale = [...generated()].filter(([path, text]) => readFileSync(path, 'utf8') !== text);
  expect(stale.map(([path]) => path)).toEqual([]);
});

const panelSchema = z.object({
  type: z.string(),
  description: z.string().optional(),
  gridPos: z.object({ x: z.number(), y: z.number(), w: z.number(), h: z.number() }),
});
const dashboardFileSchema = z.object({ panels: z.array(panelSchema) });

test('panels do not overlap and have a description', () => {
  const files = [...generated()].flatMap(([path, text]) => (path.endsWith('.json') ? [text] : []));
  expect(files).toHaveLength(4);
  for (const text of files) {
    const { panels } = dashboardFileSchema.parse(JSON.parse(text));
    const cells = panels.flatMap(({ gridPos }) => cellsOf(gridPos));
    expect(new Set(cells).size).toBe(cells.length);
    const undescribed = panels.filter(({ type, description = '' }) => type !== 'row' && description.length < 20);
    expect(undescribed).toEqual([]);
  }
});

const range = (from: number, length: number): number[] => Array.from({ length }, (_, index) => from + index);
const cellsOf = ({ x, y, w, h }: z.infer<typeof panelSchema>['gridPos']): string[] =>
  range(x, w).flatMap((column) => range(y, h).map((row) => `${column} ${row}`));

const adapterSchema = z.object({
  rules: z.object({
    custom: z.array(z.object({ seriesQuery: z.string(), name: z.object({ as: z.string() }) }).loose()),
  }),
});

test('the adapter provides the metrics of the autoscalers', () => {
  const adapter = fileURLToPath(new URL('../../deploy/observability/prometheus-adapter.yaml', import.meta.url));
  const provided = adapterSchema.parse(readYaml(adapter)).rules.custom;
  expect(autoscalerMetrics.length).toBeGreaterThan(0);
  const ordered = provided.toSorted((one, other) => (one.name.as < other.name.as ? -1 : 1));
  expect(ordered.map(({ name }) => name.as)).toEqual(autoscalerMetrics);
  expect(ordered.map(({ seriesQuery }) => seriesQuery.split('{', 1)[0])).toEqual(autoscalerMetrics);
});

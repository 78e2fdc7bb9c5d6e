import type { Dashboard, Panel, Query, Row, Thresholds, Unit, Variable } from './dashboard.ts';

const datasource = { type: 'prometheus', uid: '${datasource}' };
const rowHeight = 1;
const panelHeight = 8;
const statHeight = 4;
const columns = 24;

/** Returns the dashboard in the JSON format of Grafana. */
export function render(dashboard: Dashboard): object {
  return {
    uid: `tallyport-${dashboard.id}`,
    title: `Tallyport / ${dashboard.title}`,
    description: dashboard.description,
    tags: ['tallyport'],
    schemaVersion: 39,
    editable: true,
    graphTooltip: 1,
    refresh: '30s',
    timezone: 'browser',
    time: { from: 'now-3h', to: 'now' },
    links: [{ type: 'dashboards', tags: ['tallyport'], title: 'Tallyport', asDropdown: true, keepTime: true }],
    templating: { list: [datasourceVariable, ...(dashboard.variables ?? []).map(renderVariable)] },
    panels: layOut(dashboard.rows),
  };
}

/** Defaults to the provisioned Prometheus of compose; elsewhere the user selects one. */
const datasourceVariable = {
  type: 'datasource',
  name: 'datasource',
  label: 'Prometheus',
  query: 'prometheus',
  current: { text: 'Prometheus', value: 'tallyport-prometheus' },
};

const renderVariable = ({ label, metric }: Variable): object => ({
  type: 'query',
  name: label,
  label,
  datasource,
  query: { query: `label_values(${metric}, ${label})`, refId: label },
  refresh: 2,
  multi: true,
  includeAll: true,
  allValue: '.*',
  current: { text: 'All', value: '$__all' },
  sort: 1,
});

function layOut(rows: readonly Row[]): object[] {
  const placed: object[] = [];
  let y = 0;
  for (const { title, panels } of rows) {
    placed.push({
      id: placed.length + 1,
      type: 'row',
      title,
      gridPos: { x: 0, y, w: columns, h: rowHeight },
      panels: [],
    });
    y += rowHeight;
    let x = 0;
    let height = 0;
    for (const panel of panels) {
      const { width: w = columns / 3 } = panel;
      const h = panel.kind === 'stat' ? statHeight : panelHeight;
      if (x + w > columns) {
        y += height;
        [x, height] = [0, 0];
      }
      placed.push(renderPanel(panel, { id: placed.length + 1, gridPos: { x, y, w, h } }));
      x += w;
      height = Math.max(height, h);
    }
    y += height;
  }
  return placed;
}

const types = { stat: 'stat', timeseries: 'timeseries', table: 'table', bars: 'bargauge' } as const;

function renderPanel(panel: Panel, place: object): object {
  const { kind, title, description, queries } = panel;
  return {
    ...place,
    type: types[kind],
    title,
    description,
    datasource,
    targets: queries.map((query, index) => renderQuery(query, { kind, index })),
    fieldConfig: { defaults: fieldsOf(panel), overrides: [] },
    options: optionsOf(kind),
    ...(kind === 'table' && { transformations: [{ id: 'organize', options: { excludeByName: { Time: true } } }] }),
  };
}

const renderQuery = ({ expr, legend }: Query, { kind, index }: { kind: Panel['kind']; index: number }): object => ({
  refId: String.fromCharCode(65 + index),
  datasource,
  expr,
  legendFormat: legend ?? '__auto',
  ...(kind === 'timeseries' ? { range: true } : { instant: true, range: false }),
  ...(kind === 'table' && { format: 'table' }),
});

function fieldsOf({ kind, unit, thresholds, min, max, stacked }: Panel): object {
  return {
    ...unitOf(unit),
    ...(min !== undefined && { min }),
    ...(max !== undefined && { max }),
    color: { mode: thresholds && kind !== 'timeseries' ? 'thresholds' : 'palette-classic' },
    ...(thresholds && { thresholds: { mode: 'absolute', steps: stepsOf(thresholds) } }),
    custom: kind === 'timeseries' ? linesOf({ thresholds, stacked }) : {},
  };
}

const linesOf = ({ thresholds, stacked }: Pick<Panel, 'thresholds' | 'stacked'>): object => ({
  lineWidth: 1,
  fillOpacity: stacked ? 40 : 5,
  showPoints: 'never',
  ...(stacked && { stacking: { mode: 'normal', group: 'A' } }),
  ...(thresholds && { thresholdsStyle: { mode: 'dashed' } }),
});

function stepsOf({ lowIsBad, warn, bad }: Thresholds): object[] {
  const steps = lowIsBad
    ? [
        { color: 'red', value: null },
        { color: 'orange', value: bad },
        { color: 'green', value: warn },
      ]
    : [
        { color: 'green', value: null },
        { color: 'orange', value: warn },
        { color: 'red', value: bad },
      ];
  return steps;
}

/** Two of the units show words instead of numbers. */
function unitOf(unit: Unit): object {
  switch (unit) {
    case 'circuit':
      return { unit: 'none', mappings: [valueMapping({ 0: 'closed', 1: 'half open', 2: 'open' })] };
    case 'yesno':
      return { unit: 'none', mappings: [valueMapping({ 0: 'down', 1: 'up' })] };
    case 'cores':
      return { unit: 'none' };
    default:
      return { unit };
  }
}

const valueMapping = (texts: Readonly<Record<number, string>>): object => ({
  type: 'value',
  options: Object.fromEntries(Object.entries(texts).map(([value, text]) => [value, { text }])),
});

function optionsOf(kind: Panel['kind']): object {
  const reduceOptions = { calcs: ['lastNotNull'], fields: '', values: false };
  switch (kind) {
    case 'stat':
      return { reduceOptions, colorMode: 'background', graphMode: 'area', textMode: 'auto' };
    case 'bars':
      return { reduceOptions, displayMode: 'basic', orientation: 'horizontal' };
    case 'table':
      return { showHeader: true, cellHeight: 'sm' };
    case 'timeseries':
      return {
        legend: { displayMode: 'table', placement: 'bottom', calcs: ['lastNotNull', 'max'] },
        tooltip: { mode: 'multi', sort: 'desc' },
      };
    default:
      return kind satisfies never;
  }
}

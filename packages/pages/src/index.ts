export { type Asset, assets, requestingScripts, type ScriptName } from './assets.ts';
export { embeddingsText } from './assets/playground-figures.js';
export {
  codeFor,
  pythonValue,
  requestOf,
  type PlaygroundKind,
  type PlaygroundTurn,
} from './assets/playground-request.js';
export { barChart, lineChart } from './charts/chart-panel.ts';
export { type Chart, mostSeries, type ChartSeries, type Slot } from './charts/chart.ts';
export { lastDays } from './charts/last-days.ts';
export { sparkline } from './charts/sparkline.ts';
export { byDate, meanUptime, percent, type UptimeDay, uptimeBars } from './charts/uptime-bars.ts';
export * from './fields.ts';
export * from './form/field-spec.ts';
export * from './form/form.ts';
export * from './html.ts';
export { unmaskToken } from './http/csrf-mask.ts';
export * from './http/form.ts';
export { publicOriginOf } from './http/public-origin.ts';
export * from './http/read-body.ts';
export * from './http/same-origin.ts';
export { errorMessage, sendErrorPage } from './http/send-error-page.ts';
export * from './http/send-page.ts';
export * from './lasted.ts';
export * from './layout.ts';
export * from './list-controls.ts';
export * from './menu.ts';
export * from './message.ts';
export * from './parts.ts';
export * from './viewer.ts';
export * from './unit.ts';

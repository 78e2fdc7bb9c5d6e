/** One line of the picture: loads in cores at sizes in edges. */
interface DrawnCurve {
  title: string;
  loads: readonly { edges: number; cores: number }[];
}

interface Picture {
  title: string;
  curves: readonly DrawnCurve[];
}

const size = { width: 920, height: 460 };
const frame = { left: 70, right: 560, top: 30, bottom: 400 };
const sizes = [1, 10, 100, 1_000];
const cores = [0.0001, 0.001, 0.01, 0.1, 1, 10, 100, 1_000];
/** One for each curve; the names beside them are in the same order from top to bottom. */
const colours = ['#0969da', '#cf222e', '#1a7f37', '#8250df', '#bc4c00', '#57606a', '#bf3989', '#0a7ea4', '#9a6700'];
const lineHeight = 22;

/** Both axes are logarithmic: a load that grows with the gateway is a line with the slope of the grid's diagonal. */
export function drawCurves({ title, curves }: Picture): string {
  const lines = curves.map(({ loads }, index) => {
    const points = loads.map((load) => `${xOf(load.edges)},${yOf(load.cores)}`).join(' ');
    return `<polyline class="curve" points="${points}" stroke="${colours[index % colours.length]}" />`;
  });
  const names = namesOf(curves).flatMap(({ name, colour, y, from }) => [
    `<line x1="${frame.right + 4}" y1="${from}" x2="${frame.right + 24}" y2="${y - 5}" stroke="${colour}" />`,
    `<text x="${frame.right + 28}" y="${y}">${escaped(name)}</text>`,
  ]);
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size.width} ${size.height}" width="${size.width}" height="${size.height}" role="img" aria-labelledby="title">
<title id="title">${escaped(title)}</title>
<style>
text { font: 13px system-ui, -apple-system, 'Segoe UI', Helvetica, Arial, sans-serif; fill: #1f2328; }
.quiet { font-size: 12px; fill: #59636e; }
.grid { stroke: #d1d9e0; }
.full { stroke: #cf222e; stroke-dasharray: 6 4; }
.curve { fill: none; stroke-width: 2; }
@media (prefers-color-scheme: dark) { text { fill: #f0f6fc; } .quiet { fill: #9198a1; } .grid { stroke: #3d444d; } }
</style>
${[...grid(), ...lines, ...names].join('\n')}
</svg>
`;
}

function grid(): string[] {
  const { left, right, top, bottom } = frame;
  const columns = sizes.flatMap((edges) => [
    `<line class="grid" x1="${xOf(edges)}" y1="${top}" x2="${xOf(edges)}" y2="${bottom}" />`,
    `<text class="quiet" x="${xOf(edges)}" y="${bottom + 20}" text-anchor="middle">${edges.toLocaleString('en')}</text>`,
  ]);
  const rows = cores.flatMap((each) => [
    `<line class="${each === 1 ? 'full' : 'grid'}" x1="${left}" y1="${yOf(each)}" x2="${right}" y2="${yOf(each)}" />`,
    `<text class="quiet" x="${left - 8}" y="${yOf(each) + 4}" text-anchor="end">${each.toLocaleString('en', { maximumFractionDigits: 4 })}</text>`,
  ]);
  return [
    ...columns,
    ...rows,
    `<text class="quiet" x="${(left + right) / 2}" y="${bottom + 44}" text-anchor="middle">edges (with 3 chat-svcs, 50 keys and 100 requests a second each)</text>`,
    `<text class="quiet" x="${left - 8}" y="${top - 12}" text-anchor="end">cores</text>`,
  ];
}

interface Name {
  name: string;
  colour: string | undefined;
  /** Where its curve ends, and where the name is written. */
  from: number;
  y: number;
}

/** The names beside the ends of their curves, moved down where they would overlap. */
function namesOf(curves: readonly DrawnCurve[]): Name[] {
  let free = frame.top;
  return curves
    .map(({ title, loads }, index) => ({
      name: title,
      colour: colours[index % colours.length],
      from: yOf(loads.at(-1)?.cores ?? 0),
    }))
    .toSorted((one, other) => one.from - other.from)
    .map((each) => {
      const y = Math.max(each.from + 4, free);
      free = y + lineHeight;
      return { ...each, y };
    });
}

const xOf = (edges: number): number => rounded(frame.left + share(sizes, edges) * (frame.right - frame.left));

function yOf(value: number): number {
  const at = Math.min(1, Math.max(0, share(cores, value)));
  return rounded(frame.bottom - at * (frame.bottom - frame.top));
}

/** The place on a logarithmic axis, from 0 to 1. */
function share(marks: readonly number[], value: number): number {
  const [first = 1, last = 1] = [marks[0], marks.at(-1)];
  return Math.log(value / first) / Math.log(last / first);
}

const rounded = (value: number): number => Number(value.toFixed(1));

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

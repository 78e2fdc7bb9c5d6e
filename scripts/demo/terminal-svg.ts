import type { RecordedCommand } from './recorded-session.ts';

interface TerminalLine {
  text: string;
  isCommand: boolean;
  /** When it begins to appear and when all of it is there, in milliseconds from the start. */
  fromMs: number;
  untilMs: number;
}

const columnWidth = 7.83;
const lineHeight = 19;
const margin = 18;
const barHeight = 30;

const typingMs = 22;
const answerMs = 250;
const pauseMs = 1_400;

/** A terminal that plays the session in `loopMs` and repeats it. It is still for readers who prefer reduced motion. */
export function terminalSvg(session: readonly RecordedCommand[], loopMs: number): string {
  const lines = linesOf(session, loopMs);
  const columns = Math.max(...lines.map(({ text }) => [...text].length));
  const width = Math.ceil(columns * columnWidth + 2 * margin);
  const height = barHeight + lines.length * lineHeight + 2 * margin;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img">`,
    '<title>A provider fails and the next one answers</title>',
    `<style>${styleOf(lines, loopMs)}</style>`,
    `<rect x="0.5" y="0.5" width="${width - 1}" height="${height - 1}" rx="8" fill="#0d1117" stroke="#484f58"/>`,
    ...['#f85149', '#d29922', '#3fb950'].map(
      (colour, index) => `<circle cx="${margin + index * 18}" cy="18" r="5" fill="${colour}"/>`,
    ),
    ...lines.map(textElement),
    '</svg>',
    '',
  ].join('\n');
}

function linesOf(session: readonly RecordedCommand[], loopMs: number): TerminalLine[] {
  const lines: TerminalLine[] = [];
  let now = 0;
  for (const { command, output } of session) {
    for (const [index, text] of command.split('\n').entries()) {
      const typed = index === 0 ? `$ ${text}` : text;
      lines.push({ text: typed, isCommand: true, fromMs: now, untilMs: now + text.length * typingMs });
      now += text.length * typingMs;
    }
    now += answerMs;
    for (const text of output === '' ? [] : output.split('\n'))
      lines.push({ text, isCommand: false, fromMs: now, untilMs: now + 1 });
    now += output === '' ? answerMs : pauseMs;
  }
  // The end stays for a fifth of the loop, so that it can be read.
  const scale = (loopMs * 0.8) / now;
  return lines.map((line) => ({ ...line, fromMs: line.fromMs * scale, untilMs: line.untilMs * scale }));
}

function styleOf(lines: readonly TerminalLine[], loopMs: number): string {
  const percent = (ms: number) => `${((ms / loopMs) * 100).toFixed(2)}%`;
  const frames = lines.map(({ fromMs, untilMs, text }, index) =>
    [
      `@keyframes l${index}{0%,${percent(fromMs)}{clip-path:inset(0 100% 0 0)}`,
      `${percent(untilMs)},100%{clip-path:inset(0 0 0 0)}}`,
      `#l${index}{animation:l${index} ${loopMs}ms steps(${Math.max(1, text.length)}) infinite}`,
    ].join(''),
  );
  const font =
    "text{font:13px ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans Mono',monospace;white-space:pre}";
  const still = '@media(prefers-reduced-motion:reduce){text{animation:none!important}}';
  return [font, '.c{fill:#f0f6fc}.o{fill:#9da7b3}.f{fill:#ff7b72}.s{fill:#7ee787}', ...frames, still].join('\n');
}

function textElement({ text, isCommand }: TerminalLine, index: number): string {
  const y = barHeight + margin + (index + 0.6) * lineHeight;
  return `<text id="l${index}" class="${classOf(text, isCommand)}" x="${margin}" y="${y.toFixed(1)}" xml:space="preserve">${escapeText(text)}</text>`;
}

function classOf(text: string, isCommand: boolean): string {
  if (isCommand) return 'c';
  if (/"status_code":[45]/.test(text)) return 'f';
  return /"status_code":2|sandbox-b/.test(text) ? 's' : 'o';
}

const escapeText = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

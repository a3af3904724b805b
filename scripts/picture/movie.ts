import { escapeXml, renderLine } from "./screen-line.ts";

export interface TimedLine {
  readonly text: string;
  readonly seconds: number;
}

export interface Scene {
  readonly title: string;
  readonly lines: readonly TimedLine[];
}

const cell = { width: 8.4, height: 18 };
const margin = 16;
/** Longer pauses are cut to this; shorter ones are stretched, so that each line can be read. */
const pauseSeconds = { min: 0.35, max: 1.5 };
/** How long a finished scene stays. */
const holdSeconds = 4;

interface Shown {
  readonly from: number;
  readonly to: number;
  readonly y: number;
  readonly content: string;
}

/**
 * Terminal output as an SVG that moves: each line appears in its turn, each scene replaces the one before. Where motion is unwanted,
 * the first scene stands still.
 */
export function renderMovie(scenes: readonly Scene[], movie: { columns: number; title: string }): string {
  const rows = Math.max(...scenes.map(({ lines }) => lines.length)) + 2;
  const width = Math.ceil(movie.columns * cell.width + 2 * margin);
  const height = rows * cell.height + 2 * margin;
  const shown: (Shown & { readonly scene: number })[] = [];
  let now = 0;
  for (const [scene, { title, lines }] of scenes.entries()) {
    const starts = timesFrom(now, lines);
    const to = (starts.at(-1) ?? now) + holdSeconds;
    shown.push({ scene, from: now, to, y: rowY(0), content: `<tspan fill="#8b949e">${escapeXml(title)}</tspan>` });
    for (const [index, { text }] of lines.entries()) {
      const content = renderLine(text, movie.columns);
      if (content !== "") shown.push({ scene, from: starts[index] ?? now, to, y: rowY(index + 2), content });
    }
    now = to;
  }
  const percent = (seconds: number): string => ((seconds / now) * 100).toFixed(2);
  const rules = shown.map(({ from, to }, index) => {
    const before = from === 0 ? "" : `0%{opacity:0}`;
    const after = to === now ? "" : `${percent(to)}%{opacity:0}`;
    return `@keyframes l${index}{${before}${percent(from)}%{opacity:1}${after}}.l${index}{animation-name:l${index}}`;
  });
  const still = shown.flatMap(({ scene }, index) => (scene === 0 ? [] : [`.l${index}{opacity:0}`]));
  const texts = shown.map(
    ({ y, content }, index) =>
      `<text class="l l${index}" x="${margin}" y="${y}" xml:space="preserve">${content}</text>`,
  );
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">
<title>${escapeXml(movie.title)}</title>
<style>
.l{animation:${now.toFixed(2)}s step-end infinite}
${rules.join("\n")}
@media (prefers-reduced-motion:reduce){.l{animation:none}${still.join("")}}
</style>
<rect width="100%" height="100%" rx="8" fill="#0d1117"/>
<g font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace" font-size="14" fill="#e6edf3">
${texts.join("\n")}
</g>
</svg>
`;
}

const rowY = (row: number): number => margin + (row + 1) * cell.height - 5;

/** When each line appears: the real rhythm, without its long pauses. Lines that came together appear together. */
function timesFrom(start: number, lines: readonly TimedLine[]): number[] {
  let now = start + pauseSeconds.min;
  return lines.map(({ seconds }, index) => {
    const pause = index === 0 ? 0 : seconds - (lines[index - 1]?.seconds ?? seconds);
    if (pause > 0.02) now += Math.min(pauseSeconds.max, Math.max(pauseSeconds.min, pause));
    return now;
  });
}

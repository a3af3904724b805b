const cell = { width: 8.4, height: 18 };
const margin = 16;

const colors: Record<string, string> = {
  "31": "#ff7b72",
  "32": "#7ee787",
  "33": "#e3b341",
  "34": "#79c0ff",
  "35": "#d2a8ff",
  "36": "#76e3ea",
};

interface Style {
  bold: boolean;
  dim: boolean;
  color: string | undefined;
}

/** Renders terminal output as an SVG of the given width. Longer lines are cut. */
export function renderScreen(lines: readonly string[], columns: number): string {
  const width = Math.ceil(columns * cell.width + 2 * margin);
  const height = lines.length * cell.height + 2 * margin;
  const rows = lines.map((line, index) => {
    const y = margin + (index + 1) * cell.height - 5;
    return `<text x="${margin}" y="${y}" xml:space="preserve">${renderLine(line, columns)}</text>`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">
<title>ai-runtime demo: how the work continues after a limit, a crash and an overflow</title>
<rect width="100%" height="100%" rx="8" fill="#0d1117"/>
<g font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace" font-size="14" fill="#e6edf3">
${rows.join("\n")}
</g>
</svg>
`;
}

function renderLine(line: string, columns: number): string {
  const style: Style = { bold: false, dim: false, color: undefined };
  const spans: string[] = [];
  let left = columns;
  // oxlint-disable-next-line no-control-regex
  for (const piece of line.split(/(\x1b\[[\d;]*m)/)) {
    // oxlint-disable-next-line no-control-regex
    const codes = /^\x1b\[([\d;]*)m$/.exec(piece)?.[1];
    if (codes !== undefined) {
      for (const code of codes.split(";")) applyCode(style, code);
      continue;
    }
    const shown = [...piece].slice(0, left).join("");
    left -= shown.length;
    if (shown !== "") spans.push(`<tspan${attributes(style)}>${escapeXml(shown)}</tspan>`);
  }
  return spans.join("");
}

function applyCode(style: Style, code: string): void {
  if (code === "0" || code === "") Object.assign(style, { bold: false, dim: false, color: undefined });
  else if (code === "1") style.bold = true;
  else if (code === "2") style.dim = true;
  else if (code === "22") Object.assign(style, { bold: false, dim: false });
  else if (code === "39") style.color = undefined;
  else if (code in colors) style.color = colors[code];
}

const attributes = ({ bold, dim, color }: Style): string =>
  `${bold ? ' font-weight="bold"' : ""}${dim ? ' opacity="0.6"' : ""}${color ? ` fill="${color}"` : ""}`;

const escapeXml = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

import type { JSX } from "preact";
import { type Block, parseMarkdown } from "../markdown/blocks.ts";
import { type Inline, parseInline } from "../markdown/inline.ts";

/** Markdown as elements. It never becomes HTML text, so nothing in it can be a tag. */
export function Markdown({ text }: { text: string }): JSX.Element {
  return <div class="markdown">{parseMarkdown(text).map(showBlock)}</div>;
}

/** One line of it inside something that is clicked: its links are text. */
export function MarkdownLine({ text }: { text: string }): JSX.Element {
  return <span class="markdown">{withoutLinks(parseInline(text)).map(showInline)}</span>;
}

const withoutLinks = (all: readonly Inline[]): Inline[] =>
  all.flatMap((inline): Inline[] => {
    if (inline.kind === "link") return withoutLinks(inline.inside);
    return "inside" in inline ? [{ ...inline, inside: withoutLinks(inline.inside) }] : [inline];
  });

function showBlock(block: Block): JSX.Element {
  switch (block.kind) {
    case "paragraph":
      return <p>{block.inside.map(showInline)}</p>;
    case "heading":
      // The page has its own headings; those of a stranger are only bold lines.
      return <p class={`heading level-${block.level}`}>{block.inside.map(showInline)}</p>;
    case "code":
      return <Code text={block.text} language={block.language} />;
    case "quote":
      return <blockquote>{block.blocks.map(showBlock)}</blockquote>;
    case "list": {
      const items = block.items.map((each) => <li>{each.map(showBlock)}</li>);
      return block.isOrdered ? <ol>{items}</ol> : <ul>{items}</ul>;
    }
    case "table":
      return (
        <div class="scroll" tabIndex={0}>
          <table>
            <tbody>
              {block.rows.map((row) => (
                <tr>
                  {row.map((cell) => (
                    <td>{cell.map(showInline)}</td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      );
    case "rule":
      return <hr />;
  }
}

function showInline(inline: Inline): JSX.Element | string {
  switch (inline.kind) {
    case "text":
      return inline.text;
    case "code":
      return <code>{inline.text}</code>;
    case "strong":
      return <strong>{inline.inside.map(showInline)}</strong>;
    case "emphasis":
      return <em>{inline.inside.map(showInline)}</em>;
    case "deleted":
      return <del>{inline.inside.map(showInline)}</del>;
    case "link":
      return (
        <a href={inline.address} target="_blank" rel="noopener noreferrer">
          {inline.inside.map(showInline)}
        </a>
      );
  }
}

/** Code in a box that scrolls by itself; a diff has colored lines. */
function Code({ text, language }: { text: string; language: string }): JSX.Element {
  const isDiff = language === "diff";
  return (
    <pre tabIndex={0} class={isDiff ? "diff" : undefined}>
      <code>{isDiff ? text.split("\n").map((line) => <span class={lineClass(line)}>{`${line}\n`}</span>) : text}</code>
    </pre>
  );
}

const lineClass = (line: string): string | undefined =>
  line.startsWith("+") ? "added" : line.startsWith("-") ? "removed" : line.startsWith("@@") ? "place" : undefined;

import type { JSX } from "preact";
import type { ConversationBlock } from "../../core/dashboard/contract.ts";
import { Markdown, MarkdownLine } from "./markdown.tsx";

/** A conversation; a tool call is folded together with its input and result. */
export function Conversation({ blocks }: { blocks: readonly ConversationBlock[] }): JSX.Element {
  return (
    <div class="conversation">
      {groupCalls(blocks).map(([head, ...rest]) =>
        head.style === "call" ? (
          <details class={rest.some(({ style }) => style === "error") ? "call failed" : "call"}>
            <summary>
              <MarkdownLine text={head.text} />
            </summary>
            {rest.map((block) => (
              <Markdown text={block.text} />
            ))}
          </details>
        ) : (
          [head, ...rest].map((block) => <Said block={block} />)
        ),
      )}
    </div>
  );
}

function Said({ block: { style, text } }: { block: ConversationBlock }): JSX.Element {
  if (style === "user" || style === "claude") return <h3 class={`speaker ${style}`}>{text.replace(/^#+ */, "")}</h3>;
  return (
    <div class={`said ${style}`}>
      <Markdown text={text} />
    </div>
  );
}

/** A block and those that belong to it. */
function groupCalls(blocks: readonly ConversationBlock[]): [ConversationBlock, ...ConversationBlock[]][] {
  const groups: [ConversationBlock, ...ConversationBlock[]][] = [];
  for (const block of blocks) {
    const last = groups.at(-1);
    if (block.tight && last) last.push(block);
    else groups.push([block]);
  }
  return groups;
}

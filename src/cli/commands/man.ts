import { renderManPage } from "../man-page.ts";
import { defineVerb } from "../verb.ts";

export default defineVerb({
  summary: "prints the manual page of all three programs",
  args: {},
  examples: [["ai-runtime man | man -l -", "reads it; install.sh puts it where man finds it"]],
  async run(_args, output) {
    output.data(await renderManPage());
  },
});

import { renderManPage } from "../../help/man-page.ts";
import { defineVerb } from "../../programs/verb.ts";

export default defineVerb({
  summary: "prints the manual page of all three programs",
  args: {},
  examples: [["ai-runtime man | man -l -", "shows it; install.sh installs it for man"]],
  async run(_args, output) {
    output.data(await renderManPage());
  },
});

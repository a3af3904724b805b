import { defineVerb } from "../verb.ts";
export default defineVerb({ summary: "x", args: {}, examples: [], run: async () => {} });

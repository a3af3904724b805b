// Apart from the list of runs, so that the client of a host does not load it.
export { shortId } from "../../core/run/state-words.ts";

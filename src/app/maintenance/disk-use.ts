import { ownBytes } from "../../store/trees/survey-trees.ts";

/** Total size of the files below a directory that cost space of ours, in bytes. */
export const diskUse = (root: string): number => ownBytes(root);

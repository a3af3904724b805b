export { lowerPriority } from "../../platform/lower-priority.ts";

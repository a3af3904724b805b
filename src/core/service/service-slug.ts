/** A service is named after its workspace. */
export { pathSlug as serviceSlug } from "../path-slug.ts";

/** A slug contains no character that is special in a shell, unit file, path or XML. */
export const isServiceSlug = (text: string): boolean => /^[a-z0-9]+(-[a-z0-9]+)+$/.test(text) && text.length <= 60;
